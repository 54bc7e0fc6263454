import { randomBytes } from 'node:crypto'
import { lstat, mkdir, realpath, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { folderDiffers, folderUnusable } from '../definitions/files-errors.ts'
import type { FilesStorage } from '../definitions/files-tables.ts'
import { makeIn, syncFolder } from './folders.ts'

/** Errors that are temporary or still allow reading files, and do not prevent the start. */
const passing: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EBUSY', 'EINTR'])

const reasons: Readonly<Record<string, string>> = {
  EACCES: "the oracle's user cannot write there",
  EPERM: "the oracle's user cannot write there",
  EROFS: 'its disk is read-only',
  ENOENT: 'nothing can be created there',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
}

/**
 * Checks that files can be stored in a folder, or that the folder can be created: creates an empty folder and removes
 * it, because permissions alone are not sufficient.
 *
 * @param directory FILES_DIR.
 * @param store The name of the database's subfolder.
 * @throws BootError `files_folder_unusable`
 */
export const checkFolder = async (directory: string, store: string): Promise<void> => {
  let place = join(resolve(directory), store)
  try {
    place = await deepestThere(place)
    const probe = join(place, `.${randomBytes(12).toString('hex')}.probe`)
    await mkdir(probe, { mode: 0o700 })
    await rmdir(probe)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (passing.has(code)) return
    throw folderUnusable(directory, await violationOf(place, code), error)
  }
}

/** Returns the path, or its closest existing parent; links are followed. */
const deepestThere = async (path: string): Promise<string> => {
  const there = await lstat(path).catch(error => {
    if (!['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
    return undefined
  })
  if (there) return path
  const above = dirname(path)
  return above === path ? path : deepestThere(above)
}

/** Returns why a folder cannot be created there. */
const violationOf = async (place: string, code: string): Promise<string> => {
  const name = JSON.stringify(place.slice(-200))
  const real = await realpath(place).catch(() => undefined)
  if (real === undefined && code === 'ENOENT') return `${name} is a broken link`
  const isFolder = await stat(place).then(
    stats => stats.isDirectory(),
    () => true,
  )
  if (!isFolder) return `${name} is a file, not a folder`
  return `no folder can be created in ${name}: ${reasons[code] ?? `the system reports ${code.slice(0, 40)}`}`
}

/** Name of the empty file that identifies a folder, because two machines may mount one folder under different paths. */
export const markName = (mark: string): string => `.folder-${mark}`

/**
 * Checks that all processes on a database use the same folder. The first one writes a file with a random name and
 * stores the name in the database; the folder of every other process must contain that file.
 *
 * @param directory FILES_DIR
 * @param store the name of the database's subfolder
 * @throws BootError `files_folder_differs`
 */
export const claimFolder = async (storage: FilesStorage, directory: string, store: string): Promise<void> => {
  const known = await markOf(storage)
  const mark = known ?? (await proposeMark(storage, directory, store))
  const path = join(resolve(directory), store, markName(mark))
  const isThere = await lstat(path).then(
    stats => stats.isFile(),
    () => false,
  )
  if (!isThere) throw folderDiffers(directory, path)
}

const markOf = async (storage: FilesStorage): Promise<string | undefined> => {
  const { mark } = await storage.read.selectFrom('files_store').select('mark').executeTakeFirstOrThrow()
  return mark ?? undefined
}

/**
 * Writes a mark into the folder, then into the database; returns the database's mark, which another process may have
 * set first.
 */
const proposeMark = async (storage: FilesStorage, directory: string, store: string): Promise<string> => {
  await mkdir(resolve(directory), { recursive: true, mode: 0o700 })
  const folder = await makeIn(await realpath(resolve(directory)), store)
  const own = randomBytes(8).toString('hex')
  await writeFile(join(folder, markName(own)), '', { flag: 'wx', mode: 0o600 })
  await syncFolder(folder)
  await storage.write(tx =>
    tx.updateTable('files_store').set({ mark: own }).where('mark', 'is', null).executeTakeFirst(),
  )
  const mark = (await markOf(storage)) ?? own
  if (mark !== own) await unlink(join(folder, markName(own))).catch(() => {})
  return mark
}
