import { accessSync, closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { storageErrors } from '../errors/storage-errors.ts'

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const folderProblems: Readonly<Record<string, string>> = {
  EACCES: 'is not accessible for this user',
  EPERM: 'is not accessible for this user',
  EROFS: 'is on a read-only file system',
  ENOTDIR: 'has a parent that is not a folder',
  EEXIST: 'is not a folder',
  ENOENT: 'does not exist and cannot be created',
}

const unusable = (folder: string, error: unknown): Error =>
  storageErrors.database_folder_unusable(
    {
      folder: basename(folder),
      problem: folderProblems[codeOf(error) ?? ''] ?? `cannot be used (${codeOf(error) ?? 'unknown reason'})`,
    },
    { cause: error },
  )

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusable(folder, error)
  }
}

const openForWriting = (path: string, flags: string): void => closeSync(openSync(path, flags, 0o600))

/**
 * Sees that the database's folder and file exist and can be written, so that what is wrong gets its own error. What it
 * makes, only this user may read.
 *
 * @throws `database_folder_unusable`, `database_path_is_folder`,
 * `database_read_only`, `disk_full`
 */
export const prepareFile = (path: string): void => {
  const folder = dirname(path)
  const file = basename(path)
  makeFolder(folder)
  try {
    openForWriting(path, 'r+')
  } catch (error) {
    if (codeOf(error) === 'EISDIR') throw storageErrors.database_path_is_folder({ file })
    if (codeOf(error) !== 'ENOENT') throw storageErrors.database_read_only({ file }, { cause: error })
    makeFile(path)
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(folder, error)
  }
}

const makeFile = (path: string): void => {
  try {
    openForWriting(path, 'a')
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw storageErrors.disk_full({ database: basename(path) }, { cause: error })
    throw unusable(dirname(path), error)
  }
}
