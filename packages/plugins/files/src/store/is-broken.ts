import type { BlobDisk, NewBlob } from '../disk/blob-disk.ts'
import type { FilesStorage } from './files-tables.ts'
import type { FilesPerson } from './people.ts'

/** Whether the content that is kept under a hash cannot be read any more, so that the new one takes its place. */
export const isBroken = async (
  { storage, disk }: { readonly storage: FilesStorage; readonly disk: BlobDisk },
  { person, folder }: FilesPerson,
  { sha256, bytes }: NewBlob,
): Promise<boolean> => {
  const known = await storage.read
    .selectFrom('files_blobs')
    .select('file')
    .where('person', '=', person)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (!known) return false
  const handle = await disk.open({ folder, file: known.file, bytes }).catch(() => undefined)
  await handle?.close()
  return handle === undefined
}
