import { createHash } from 'node:crypto'
import type { FilesStorage } from '../definitions/files-tables.ts'
import { markName } from '../disk/claim-contents.ts'

const pageSize = 1_000
const emptySha256 = createHash('sha256').digest('hex')

/** Lists the contents on the disk by their paths in FILES_DIR, with the mark of the folder, for backups. */
export async function* listContents({ read }: Pick<FilesStorage, 'read'>) {
  const { store, mark } = await read.selectFrom('files_store').selectAll().executeTakeFirstOrThrow()
  if (mark !== null) yield { path: `${store}/${markName(mark)}`, bytes: 0, sha256: emptySha256 }
  for (let after = { person: 0, sha256: '' }; ; ) {
    const rows = await read
      .selectFrom('files_blobs as blobs')
      .innerJoin('files_people as people', 'people.person', 'blobs.person')
      .select(['blobs.person', 'blobs.sha256', 'blobs.file', 'blobs.bytes', 'people.folder'])
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('blobs.person', 'blobs.sha256'), '>', tuple(after.person, after.sha256)),
      )
      .orderBy('blobs.person')
      .orderBy('blobs.sha256')
      .limit(pageSize)
      .execute()
    for (const { folder, file, bytes, sha256 } of rows) yield { path: `${store}/${folder}/${file}`, bytes, sha256 }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}
