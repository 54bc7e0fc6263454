import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups } from './backup-folder.ts'
import { listObjects } from './list-objects.ts'

/**
 * Removes the contents that no backup of a folder lists: those of backups that were deleted. None are removed if the list of a
 * backup cannot be read.
 *
 * @returns how many were removed
 */
export const removeUnlistedFiles = async (folder: string): Promise<number> => {
  const listed = new Set<string>()
  try {
    for (const name of await listBackups(folder)) {
      await access(join(folder, name, 'files.ndjson'))
      for await (const object of listObjects(join(folder, name))) listed.add(object.name)
    }
  } catch {
    return 0
  }
  let removed = 0
  const files = join(folder, 'files')
  for (const entry of await readdir(files, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    if (listed.has(path.slice(files.length + 1))) continue
    await rm(path)
    removed += 1
  }
  return removed
}
