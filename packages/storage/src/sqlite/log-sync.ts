import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSyncFailedError } from '../errors/write-errors.ts'

/**
 * Puts what SQLite has committed to its write-ahead log onto the disk, in a thread of its own while the event loop goes
 * on. It does what `synchronous = full` does inside the commit: sync the log after the frames of the commit are in it.
 */
export class LogSync {
  readonly #descriptor: number
  readonly #file: string
  #failure: DatabaseSyncFailedError | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /**
   * @param database path of the database, which must be in WAL mode and stay open until `close()`
   * @param file the last part of the path, for error texts
   */
  constructor(database: string, file: string) {
    this.#descriptor = openSync(`${database}-wal`, 'r')
    this.#file = file
  }

  /**
   * Resolves once everything committed before the call is on disk. Calls that come while a sync runs share the next.
   * After one has failed nobody knows what the disk holds, so that all later ones fail as well.
   *
   * @throws DatabaseSyncFailedError `database_sync_failed`
   */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#running === undefined) return this.#sync()
    this.#next ??= this.#running.then(
      () => this.#sync(),
      () => this.#sync(),
    )
    return this.#next
  }

  /** Resolves when no sync is under way. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => {})
  }

  /** Lets go of the log; after `idle()`. */
  close(): void {
    closeSync(this.#descriptor)
  }

  #sync(): Promise<void> {
    this.#next = undefined
    const sync = new Promise<void>((resolve, reject) => {
      fdatasync(this.#descriptor, error => {
        if (this.#running === sync) this.#running = undefined
        if (error) {
          this.#failure = new DatabaseSyncFailedError(this.#file, { cause: error })
          reject(this.#failure)
        } else resolve()
      })
    })
    this.#running = sync
    return sync
  }
}
