import { Worker } from 'node:worker_threads'

/** The mode of a checkpoint: `passive` copies the log, `truncate` copies and empties it. */
type Mode = 'passive' | 'truncate'

/**
 * The result of a checkpoint; `left`: blocked by a read, or a full disk; `sync failed`: the disk may have lost pages.
 */
export type CheckpointEnd = 'done' | 'left' | 'sync failed' | 'no thread'

/** SQLITE_IOERR_FSYNC. */
const SYNC_FAILED = 1034

/** Whether SQLite could not sync the log or the database. */
export const isSyncFailure = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SYNC_FAILED

/** Maximum wait of a truncation for a running read, in milliseconds; writes wait with it. */
const readerTimeoutMs = 200

/** A string and no file, so that it also runs where an app is bundled into one file. */
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(workerData.path, { timeout: workerData.readerTimeoutMs })
database.exec('pragma synchronous = ' + workerData.synchronous)
database.prepare('select count(*) from sqlite_schema').get()
parentPort.on('message', mode => {
  if (mode === 'close') {
    database.close()
    parentPort.close()
    return
  }
  let end = 'left'
  try {
    const { busy, log } = database.prepare('pragma wal_checkpoint(' + mode + ')').get()
    if (busy === 0 && log !== -1) end = 'done'
  } catch (error) {
    if (error.errcode === ${SYNC_FAILED}) end = 'sync failed'
  }
  parentPort.postMessage(end)
})`

/**
 * Checkpoints of a SQLite database in a thread with its own connection: the event loop waits neither for the pages that are
 * written nor for the syncs. The thread starts at the first one.
 */
export class LogCheckpoints {
  readonly #options: { readonly path: string; readonly synchronous: 'normal' | 'off' }
  readonly #asked: PromiseWithResolvers<CheckpointEnd>[] = []
  #worker: Worker | undefined

  /** @param options synchronous: SQLite's pragma, as the connection that writes has it */
  constructor(options: { readonly path: string; readonly synchronous: 'normal' | 'off' }) {
    this.#options = options
  }

  /** Copies the log into the database while writes go on. */
  copy(): Promise<CheckpointEnd> {
    return this.#ask('passive')
  }

  /** Empties the log; no write may run meanwhile. */
  empty(): Promise<CheckpointEnd> {
    return this.#ask('truncate')
  }

  /** Closes the connection of the thread, and ends it. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    const ended = new Promise(resolve => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage('close')
    await ended
  }

  #ask(mode: Mode): Promise<CheckpointEnd> {
    const asked = Promise.withResolvers<CheckpointEnd>()
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage(mode)
      this.#worker.ref()
      this.#asked.push(asked)
    } catch {
      asked.resolve('no thread')
    }
    return asked.promise
  }

  #start(): Worker {
    const worker = new Worker(script, {
      eval: true,
      name: 'sqlite-checkpoints',
      workerData: { ...this.#options, readerTimeoutMs },
      env: {},
      argv: [],
      execArgv: ['--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    })
    worker.on('message', (end: CheckpointEnd) => {
      this.#asked.shift()?.resolve(end)
      if (this.#asked.length === 0) worker.unref()
    })
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      for (const asked of this.#asked.splice(0)) asked.resolve('no thread')
    })
    return worker
  }
}
