import { createHash, randomBytes } from 'node:crypto'
import type { LimitShare } from '@sibyl/plugin'
import type { FilesStorage, FilesTransaction } from './files-tables.ts'

/** A person who has files, or had some. */
export interface FilesPerson {
  readonly person: number
  readonly folder: string
  readonly bytes: number
  readonly records: number
  /** The DID that their files count for. */
  readonly holder: string
}

const columns = ['person', 'folder', 'bytes', 'records', 'holder', 'origin'] as const

const rowOf = (read: FilesStorage['read'], did: string) =>
  read.selectFrom('files_people').select(columns).where('did', '=', did).executeTakeFirst()

/** The row of a person; undefined for somebody who never kept a file. */
export const findPerson = async (read: FilesStorage['read'], did: string): Promise<FilesPerson | undefined> =>
  rowOf(read, did)

/** Returns the row of a person, made where there is none, with whom their files count for from now on. */
export const ensurePerson = async (
  storage: FilesStorage,
  did: string,
  share: Pick<LimitShare, 'holder' | 'origin'>,
): Promise<FilesPerson> => {
  const { holder } = share
  const origin = share.origin ?? null
  const known = await rowOf(storage.read, did)
  if (known?.holder === holder && known.origin === origin) return known
  return storage.write(
    async tx => {
      // Its row is what writes for the same holder lock.
      if (holder !== did) await insertPerson(tx, holder, { holder, origin: null }, {})
      return insertPerson(tx, did, { holder, origin }, { holder, origin })
    },
    { isolation: 'read committed' },
  )
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
