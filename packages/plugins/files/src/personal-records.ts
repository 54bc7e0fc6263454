import { type Host, type PersonalRecords, type StoredSpace, unlessNone } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { FilesStorage } from './definitions/files-tables.ts'
import type { BlobStore } from './disk/blob-store.ts'
import { listFiles, listVersions } from './store/file-queries.ts'
import { findPerson } from './store/people.ts'
import { recordOf, versionRecordOf } from './store/stored-file.ts'
import { clearLater } from './store/sweep-files.ts'
import type { PdfReader } from './text/pdf-reader.ts'

export interface FilesRecordsDependencies {
  readonly storage: FilesStorage
  readonly disk: BlobStore
  readonly jobs: Host['jobs']
  readonly space: StoredSpace
  readonly pdfs: Pick<PdfReader, 'forget'>
}

const pageSize = 1_000
const personTables = ['files_words', 'files_entries', 'files_versions', 'files_blobs', 'files_arrivals'] as const

/** Creates the personal records: all files and versions with their hashes; an erasure also deletes their contents. */
export const filesRecords = ({ storage, disk, jobs, space, pdfs }: FilesRecordsDependencies): PersonalRecords => ({
  async export(did) {
    const files = await unlessNone(
      all(cursor => listFiles(storage.read, did, { limit: pageSize, cursor })),
      recordOf,
    )
    const versions = await unlessNone(
      all(cursor => listVersions(storage.read, did, { limit: pageSize, cursor })),
      versionRecordOf,
    )
    return (files ?? versions) && { files: files ?? [], versions: versions ?? [] }
  },
  async erase(did) {
    const known = await findPerson(storage.read, did)
    if (!known) return
    const { person, folder } = known
    await eraseMost(storage, person)
    await storage.write(
      async tx => {
        await tx.deleteFrom('files_people').where('person', '=', person).execute()
        for (const table of personTables) {
          await tx.deleteFrom(table).where('person', '=', person).execute()
        }
        await clearLater(jobs, folder, tx)
        await space.erase(tx, did)
      },
      { isolation: 'read committed', scrub: true },
    )
    pdfs.forget()
    await disk.clear(folder)
  },
})

/** Maximum number of rows of a table with which a person is erased in one write. */
const fewRows = 200

/** Erases large tables in batches. The row of the person comes last: after a crash, the next erasure continues. */
const eraseMost = async (storage: FilesStorage, person: number): Promise<void> => {
  const inParts = { scrub: true, leave: fewRows }
  await deleteInParts(storage, {
    table: 'files_words',
    key: ['person', 'word', 'entry'],
    where: eb => eb('person', '=', person),
    ...inParts,
  })
  await deleteInParts(storage, {
    table: 'files_versions',
    key: ['version'],
    where: eb => eb('person', '=', person),
    ...inParts,
  })
  await deleteInParts(storage, {
    table: 'files_entries',
    key: ['entry'],
    where: eb => eb('person', '=', person),
    ...inParts,
  })
  await deleteInParts(storage, {
    table: 'files_blobs',
    key: ['person', 'sha256'],
    where: eb => eb('person', '=', person),
    ...inParts,
  })
}

async function* all<Item>(
  page: (cursor: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: string }>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const { items, next } = await page(cursor)
    yield* items
    cursor = next
  } while (cursor !== undefined)
}
