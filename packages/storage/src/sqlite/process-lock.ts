import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { storageErrors } from '../errors/storage-errors.ts'
import { storageErrorOf } from './sqlite-errors.ts'

/**
 * Keeps other processes from a SQLite file: an exclusive lock on an empty file beside it, which the operating system
 * drops when the process ends in whatever way.
 */
export class ProcessLock {
  readonly #database: DatabaseSync

  /**
   * @param path the database's path
   * @param file its last part, for the error text
   * @throws `database_in_use`
   */
  constructor(path: string, file: string) {
    forOwnerAlone(`${path}.lock`)
    this.#database = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    try {
      this.#database.exec('begin exclusive')
    } catch (error) {
      this.#database.close()
      const known = storageErrorOf(error, file)
      throw storageErrors.database_locked.is(known) ? storageErrors.database_in_use({ file }) : known
    }
  }

  /** Lets the next process in. */
  release(): void {
    this.#database.close()
  }
}

/**
 * Makes a file that only this user may open: who can read it can lock it, and keep the oracle from starting. It never opens a
 * file that is there, since closing it would drop the locks that this process holds on it.
 */
const forOwnerAlone = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    try {
      chmodSync(path, 0o600)
    } catch {
      // It belongs to another user; SQLite says whether it can be used.
    }
  }
}
