import { createHash, randomBytes } from 'node:crypto'
import type { LimitShare } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'

/** A person who has or had files. */
export interface FilesPerson {
  readonly person: number
  readonly folder: string
  readonly bytes: number
  readonly records: number
  /** DID whose quota the files count toward. */
  readonly holder: string
}

/** Transaction options for writes that lock the row of the person first, so that later reads stay valid. */
export const onePersonAtATime = { isolation: 'read committed' } as const

const columns = ['person', 'folder', 'bytes', 'records', 'holder', 'origin'] as const

/** Returns the row of a person; undefined without files. */
export const findPerson = (read: FilesStorage['read'], did: string) =>
  read.selectFrom('files_people').select(columns).where('did', '=', did).executeTakeFirst()

/** Returns the row of a person, created if missing, with the current holder. */
export const ensurePerson = async (
  storage: FilesStorage,
  did: string,
  share: Pick<LimitShare, 'holder' | 'origin'>,
): Promise<FilesPerson> => {
  const { holder } = share
  const origin = share.origin ?? null
  const known = await findPerson(storage.read, did)
  if (known?.holder === holder && known.origin === origin) return known
  return storage.write(async tx => {
    // Writes for the same holder lock its row.
    if (holder !== did) await insertPerson(tx, holder, { holder, origin: null }, {})
    return insertPerson(tx, did, { holder, origin }, { holder, origin })
  }, onePersonAtATime)
}

/** The name of the folder is a salted hash of the DID. */
const insertPerson = (
  tx: FilesTransaction,
  did: string,
  counted: { readonly holder: string; readonly origin: string | null },
  changed: { readonly holder?: string; readonly origin?: string | null },
) =>
  tx
    .insertInto('files_people')
    .values({
      did,
      folder: createHash('sha256').update(randomBytes(16)).update(did).digest('hex'),
      bytes: 0,
      records: 0,
      ...counted,
    })
    .onConflict(conflict => conflict.column('did').doUpdateSet({ did, ...changed }))
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Waits for other writes of this person. @throws `files_erased` */
export const lockPerson = async (tx: FilesTransaction, person: number): Promise<void> => {
  const row = await tx
    .updateTable('files_people')
    .set({ records: sql<number>`records` })
    .where('person', '=', person)
    .returning('person')
    .executeTakeFirst()
  if (!row) throw filesErrors.files_erased()
}

/** Adds to the number of files and versions of a person. */
export const countRecords = async (tx: FilesTransaction, person: number, more: number): Promise<void> => {
  await tx
    .updateTable('files_people')
    .set({ records: sql<number>`records + ${more}` })
    .where('person', '=', person)
    .execute()
}

/** Waits for other writes for this holder; writes for a holder lock its row first. */
export const lockHolder = async (tx: FilesTransaction, holder: string): Promise<void> => {
  await tx.updateTable('files_people').set({ records: sql<number>`records` }).where('did', '=', holder).execute()
}
