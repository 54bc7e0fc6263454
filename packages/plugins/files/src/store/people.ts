import { createHash, randomBytes } from 'node:crypto'
import type { FilesStorage } from './files-tables.ts'

/** A person who has files, or had some. */
export interface FilesPerson {
  readonly person: number
  readonly folder: string
  readonly bytes: number
  readonly records: number
}

/** The row of a person; undefined for somebody who never kept a file. */
export const findPerson = (read: FilesStorage['read'], did: string): Promise<FilesPerson | undefined> =>
  read
    .selectFrom('files_people')
    .select(['person', 'folder', 'bytes', 'records'])
    .where('did', '=', did)
    .executeTakeFirst()

/** The row of a person, made where there is none. The name of the folder is a salted hash of the DID. */
export const ensurePerson = async (storage: FilesStorage, did: string): Promise<FilesPerson> => {
  const known = await findPerson(storage.read, did)
  if (known) return known
  const folder = createHash('sha256').update(randomBytes(16)).update(did).digest('hex')
  return storage.write(
    tx =>
      tx
        .insertInto('files_people')
        .values({ did, folder, bytes: 0, records: 0 })
        .onConflict(conflict => conflict.column('did').doUpdateSet({ did }))
        .returning(['person', 'folder', 'bytes', 'records'])
        .executeTakeFirstOrThrow(),
    { isolation: 'read committed' },
  )
}
