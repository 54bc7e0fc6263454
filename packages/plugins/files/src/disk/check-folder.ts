import { randomBytes } from 'node:crypto'
import { lstat, mkdir, realpath, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { placeDiffers, placeUnusable } from '../definitions/files-errors.ts'
import { type MarkedPlace, markName } from './claim-contents.ts'
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
    const problem = await violationOf(place, code)
    throw placeUnusable({ variable: 'FILES_DIR', value: directory, problem: `, and ${problem}.` }, error)
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

/** Returns the marks of a folder. @param directory FILES_DIR. @param store The name of the database's subfolder. */
export const markedFolder = (directory: string, store: string): MarkedPlace => {
  const pathOf = (mark: string) => join(resolve(directory), store, markName(mark))
  return {
    has: mark =>
      lstat(pathOf(mark)).then(
        stats => stats.isFile(),
        () => false,
      ),
    async add(mark) {
      await mkdir(resolve(directory), { recursive: true, mode: 0o700 })
      const folder = await makeIn(await realpath(resolve(directory)), store)
      await writeFile(join(folder, markName(mark)), '', { flag: 'wx', mode: 0o600 })
      await syncFolder(folder)
    },
    remove: mark => unlink(pathOf(mark)),
    differs: mark => placeDiffers({ variable: 'FILES_DIR', value: directory, mark: pathOf(mark) }),
  }
}
