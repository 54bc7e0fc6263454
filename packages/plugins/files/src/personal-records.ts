import type { Host, PersonalRecords } from '@sibyl/core'
import type { BlobDisk } from './disk/blob-disk.ts'
import { recordOf, versionRecordOf } from './file-record.ts'
import { listFiles, listVersions } from './store/file-queries.ts'
import type { FilesStorage } from './store/files-tables.ts'
import { findPerson } from './store/people.ts'
import { clearLater } from './store/sweep-files.ts'

/** What the personal records rest on. */
export interface FilesRecordsParts {
  readonly storage: FilesStorage
  readonly disk: BlobDisk
  readonly jobs: Host['jobs']
}

const pageSize = 1_000
const personTables = ['files_words', 'files_entries', 'files_versions', 'files_blobs', 'files_arrivals'] as const

/** What is kept of a person: all files and versions with their hashes; erased with their contents. */
export const filesRecords = ({ storage, disk, jobs }: FilesRecordsParts): PersonalRecords => ({
  async export(did) {
    const files = await all(cursor => listFiles(storage.read, did, { limit: pageSize, cursor }))
    const versions = await all(cursor => listVersions(storage.read, did, { limit: pageSize, cursor }))
    if (files.length + versions.length === 0) return undefined
    return { files: files.map(recordOf), versions: versions.map(versionRecordOf) }
  },
  async erase(did) {
    const known = await findPerson(storage.read, did)
    if (!known) return
    const { person, folder } = known
    await storage.write(
      async tx => {
        await tx.deleteFrom('files_people').where('person', '=', person).execute()
        for (const table of personTables) {
          await tx.deleteFrom(table).where('person', '=', person).execute()
        }
        await clearLater(jobs, folder, tx)
      },
      { isolation: 'read committed', scrub: true },
    )
    await disk.clear(folder)
  },
})

const all = async <Item>(
  page: (cursor: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: string }>,
): Promise<readonly Item[]> => {
  const items: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const { items: more, next } = await page(cursor)
    items.push(...more)
    if (next === undefined) return items
    cursor = next
  }
}
