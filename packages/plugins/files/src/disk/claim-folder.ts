import { randomBytes } from 'node:crypto'
import { lstat, mkdir, realpath, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FilesFolderDiffers } from '../files-errors.ts'
import type { FilesStorage } from '../store/files-tables.ts'
import { makeIn, syncFolder } from './folders.ts'

/** The name of the empty file that tells folders apart: two machines may mount one folder under different paths. */
const markName = (mark: string): string => `.folder-${mark}`

/**
 * Checks that all processes on a database keep files in one folder. The first one puts a file of a random name there and the
 * name into the database; the folder of each other must have that file.
 *
 * @param directory FILES_DIR
 * @param store the name of the database's own folder in it
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
  if (!isThere) throw new FilesFolderDiffers(directory, path)
}

const markOf = async (storage: FilesStorage): Promise<string | undefined> => {
  const { mark } = await storage.read.selectFrom('files_store').select('mark').executeTakeFirstOrThrow()
  return mark ?? undefined
}

/** Puts a mark into the folder, then into the database; returns the database's, which another process may have set first. */
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
