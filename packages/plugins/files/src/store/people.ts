import { createHash, randomBytes } from 'node:crypto'
import type { StoredSpace } from '@sibyl/plugin'
import { type Selectable, sql } from '@sibyl/plugin/storage'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTables, FilesTransaction } from '../definitions/files-tables.ts'

/** Transaction options for writes that lock the row of the person first, so that later reads stay valid. */
export const onePersonAtATime = { isolation: 'read committed' } as const

const columns = ['person', 'did', 'folder', 'records', 'holder'] as const

/** A person who has or had files. */
export type FilesPerson = Readonly<Pick<Selectable<FilesTables['files_people']>, (typeof columns)[number]>>

/** Returns the row of a person; undefined without files. */
export const findPerson = (read: FilesStorage['read'], did: string) =>
  read.selectFrom('files_people').select(columns).where('did', '=', did).executeTakeFirst()

/** Returns the row of a person, created if missing, with the current holder. */
export const ensurePerson = async (storage: FilesStorage, did: string, holder: string): Promise<FilesPerson> => {
  const known = await findPerson(storage.read, did)
  if (known?.holder === holder) return known
  return storage.write(async tx => {
    // Writes for the same holder lock its row.
    if (holder !== did) await insertPerson(tx, holder, holder, {})
    return insertPerson(tx, did, holder, { holder })
  }, onePersonAtATime)
}

/** The name of the folder is a salted hash of the DID. */
const insertPerson = (tx: FilesTransaction, did: string, holder: string, changed: { readonly holder?: string }) =>
  tx
    .insertInto('files_people')
    .values({
      did,
      folder: createHash('sha256').update(randomBytes(16)).update(did).digest('hex'),
      records: 0,
      holder,
    })
    .onConflict(conflict => conflict.column('did').doUpdateSet({ did, ...changed }))
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Returns the bytes of a person's contents, each counted once, without uploads in progress. */
export const keptBytes = async (
  read: FilesStorage['read'],
  space: Pick<StoredSpace, 'ofUser'>,
  { person, did }: Pick<FilesPerson, 'person' | 'did'>,
): Promise<number> => {
  const counted = (await space.ofUser(read, did))?.bytes ?? 0
  const { arriving } = await read
    .selectFrom('files_arrivals')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('arriving'))
    .where('person', '=', person)
    .executeTakeFirstOrThrow()
  return Math.max(0, counted - Number(arriving ?? 0))
}

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
