import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

/** The database of a project that sets none. */
export const usualDatabaseUrl = 'file:./.data/sibyl.db'

/** Returns the path in a `file:` URL; undefined when it is not valid. */
export const sqlitePath = (url: string, folder: string): string | undefined => {
  try {
    return url.startsWith('file://') ? fileURLToPath(url) : resolve(folder, url.slice('file:'.length))
  } catch {
    return undefined
  }
}

/** Returns whether an oracle holds the lock beside the database; the lock is not taken. */
export const isSqliteInUse = (path: string): boolean => {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(`${path}.lock`, { readOnly: true, timeout: 0 })
    lock.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === 5
  } finally {
    lock?.close()
  }
}
