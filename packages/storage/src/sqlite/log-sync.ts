import { closeSync, fdatasync, openSync } from 'node:fs'
import type { StorageError } from '../errors/storage-error.ts'
import { storageErrors } from '../errors/storage-errors.ts'

/**
 * Puts what SQLite has committed to its write-ahead log onto the disk, in a thread of its own while the event loop goes
 * on. It does what `synchronous = full` does inside the commit: sync the log after the frames of the commit are in it.
 */
export class LogSync {
  readonly #descriptor: number
  readonly #file: string
  readonly #failed = Promise.withResolvers<StorageError>()
  #failure: StorageError | undefined
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

  /** Why no commit can be put on disk any more; undefined while no sync has failed. */
  get failure(): StorageError | undefined {
    return this.#failure
  }

  /** Resolves with the failure of the first sync that fails. */
  get failed(): Promise<StorageError> {
    return this.#failed.promise
  }

  /**
   * Resolves once everything committed before the call is on disk. Calls that come while a sync runs share the next.
   * After one has failed, the content of the disk is unknown, and the system reports the error once: a second sync would
   * succeed without the lost pages. All later calls and those that wait fail without one.
   *
   * @throws `database_sync_failed`
   */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#running === undefined) return this.#sync()
    this.#next ??= this.#running.then(() => this.#sync())
    return this.#next
  }

  /** Records that SQLite's own sync of the log failed, in a checkpoint: from then on no commit is acknowledged. */
  fail(cause?: unknown): void {
    this.#failure ??= storageErrors.database_sync_failed({ database: this.#file }, { cause })
    this.#failed.resolve(this.#failure)
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
          this.fail(error)
          reject(this.#failure)
        } else if (this.#failure === undefined) resolve()
        else reject(this.#failure)
      })
    })
    this.#running = sync
    return sync
  }
}
