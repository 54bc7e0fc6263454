import { constants } from 'node:fs'
import { lstat, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns a path if it is a folder; undefined if it does not exist. */
export const plainFolder = async (path: string): Promise<string | undefined> => {
  const stats = await lstat(path).catch(unlessMissing)
  if (stats === undefined) return undefined
  if (!stats.isDirectory()) throw new Error(`${path} is not a folder`)
  return path
}

/** Creates a folder in another one, and syncs it to disk. */
export const makeIn = async (parent: string, name: string): Promise<string> => {
  const path = join(parent, name)
  if ((await plainFolder(path)) !== undefined) return path
  await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'))
  await syncFolder(parent)
  return (await plainFolder(path)) ?? path
}

/** Syncs the names of a folder to disk. Windows has no call for it, and does so automatically. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
    return undefined
  }

/** For `catch`: ignores a missing file. */
export const unlessMissing = unless('ENOENT')
