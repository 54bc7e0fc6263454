import { constants } from 'node:fs'
import { lstat, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns a path that is a folder; undefined where there is nothing. */
export const plainFolder = async (path: string): Promise<string | undefined> => {
  const stats = await lstat(path).catch(unlessMissing)
  if (stats === undefined) return undefined
  if (!stats.isDirectory()) throw new Error(`${path} is no folder`)
  return path
}

/** Makes a folder in another, on disk. */
export const makeIn = async (parent: string, name: string): Promise<string> => {
  const path = join(parent, name)
  if ((await plainFolder(path)) !== undefined) return path
  await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'))
  await syncFolder(parent)
  return (await plainFolder(path)) ?? path
}

/** Puts the names in a folder on disk; Windows has no way to, and does so by itself. */
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

/** For `catch`: a missing file is no error. */
export const unlessMissing = unless('ENOENT')
