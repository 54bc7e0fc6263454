import type { BackupPlace } from './backup-place.ts'
import { parseObjects } from './list-objects.ts'

/**
 * Removes the contents that no backup lists: those of backups that were deleted. None are removed if the list of a backup cannot
 * be read.
 *
 * @returns how many were removed
 */
export const removeUnlistedFiles = async (place: BackupPlace): Promise<number> => {
  const listed = new Set<string>()
  try {
    for (const name of await place.names()) {
      const list = await place.read(`${name}/files.ndjson`)
      if (list === undefined) return 0
      for await (const object of parseObjects(list)) listed.add(`files/${object.name}`)
    }
  } catch {
    return 0
  }
  const unlisted: string[] = []
  for await (const { key } of place.list('files/')) if (!listed.has(key)) unlisted.push(key)
  await place.remove(unlisted)
  return unlisted.length
}
