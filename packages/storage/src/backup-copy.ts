import { rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { contentPath, damagedBackup } from './backup/backup-manifest.ts'
import { openContentPlace } from './backup/content-place.ts'
import type { NamedFile } from './backup/store-files.ts'
import type { OwnedFiles } from './contract/owned-files.ts'
import type { Storage } from './contract/storage.ts'
import { openStorage } from './open-storage.ts'

/** Opens the copy of a database for some work, and leaves one file. */
export const withCopy = async <Result>(path: string, work: (copy: Storage) => Promise<Result>): Promise<Result> => {
  const copy = await openStorage({ url: pathToFileURL(path).href, writeTimeLimitMs: 600_000 })
  try {
    return await work(copy)
  } finally {
    await copy.close()
    for (const suffix of ['.lock', '.mark', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true })
  }
}

/**
 * Returns the contents that a database names.
 *
 * @throws `backup_damaged` for a path that could lead out of the directory
 */
export const namedFiles = async (
  storage: Pick<Storage, 'engine' | 'read'>,
  owners: readonly { readonly files?: OwnedFiles }[],
): Promise<readonly NamedFile[]> => {
  const files: NamedFile[] = []
  for (const { list, ...location } of owners.flatMap(owner => owner.files ?? [])) {
    const place = await openContentPlace(location)
    for await (const file of list(storage)) {
      if (!contentPath.safeParse(file.path).success)
        throw damagedBackup('The database names a file by an invalid path.')
      files.push({ ...file, place })
    }
  }
  return files
}
