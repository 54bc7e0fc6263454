import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Transaction } from 'kysely'
import type { WriteOptions } from '../contract/storage.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import type { DatabaseHandles } from '../transactions/database-handles.ts'
import type { NestedUseGuard } from '../transactions/nested-use-guard.ts'
import { TransactionScope } from '../transactions/transaction-scope.ts'
import { type CheckpointEnd, isSyncFailure, type LogCheckpoints } from './log-checkpoints.ts'
import type { LogSync } from './log-sync.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isDiskFailure, storageErrorOf } from './sqlite-errors.ts'

const LARGEST_QUEUE = 10_000
const LARGEST_BATCH = 512
/** A batch that has run this long takes no further write in, so that those it holds are not kept waiting. */
const LONGEST_BATCH_MS = 50
/**
 * The number of writes, or batches, after which the log is copied into the database and restarts. SQLite would do that
 * inside a commit, on the event loop, and would not report a sync that fails there.
 */
const PER_COPY = { writes: 1_000, batches: 200 } as const
/** Maximum wait of a statement for the lock of another program, in milliseconds; it blocks the event loop. */
export const BUSY_TIMEOUT_MS = 1_000
/** Has SQLite overwrite what is deleted where that costs no further page. */
export const OVERWRITE_FREED = 'pragma secure_delete = fast'

/** The statements that frame a batch and each write in it. */
type Frame = 'begin immediate' | 'commit' | 'rollback' | 'savepoint w' | 'release w' | 'rollback to w'

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** One write from its call to its acknowledgement. */
class PendingWrite {
  readonly scope = new TransactionScope()
  readonly timeLimitMs: number
  readonly turn = Promise.withResolvers<void>()
  readonly finished = Promise.withResolvers<Outcome>()
  readonly acknowledged = Promise.withResolvers<unknown>()
  /** Whether what it deletes is overwritten in the files. */
  readonly scrub: boolean
  /** The operation on the log before it is acknowledged. */
  readonly log: 'left' | 'copied' | 'emptied'
  outcome: Outcome | undefined
  readonly #committed: ((value: unknown) => void) | undefined

  constructor(
    timeLimitMs: number,
    { committed, scrub = false, log = scrub ? 'emptied' : 'left' }: WriteOptions<unknown>,
  ) {
    this.timeLimitMs = timeLimitMs
    this.scrub = scrub
    this.log = log
    this.#committed = committed
  }

  /** Notifies the caller of the commit, before it is on disk. */
  commit(): void {
    if (this.outcome && 'value' in this.outcome) this.#committed?.(this.outcome.value)
  }

  /** Ends the work; the first outcome counts. */
  finish(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.scope.end()
    this.finished.resolve(outcome)
  }

  /** Settles the promise of the caller, once the batch is on disk or lost. */
  settle(outcome: Outcome | undefined = this.outcome): void {
    if (outcome === undefined) return
    if ('value' in outcome) {
      this.acknowledged.resolve(outcome.value)
      this.scope.committed()
    } else this.acknowledged.reject(outcome.error)
  }
}

/**
 * Writes to one SQLite connection: those that come in one turn of the event loop run one after the other in one
 * transaction, each in its own savepoint, and are acknowledged together after its commit.
 */
export class GroupCommit {
  /** Whether the disk has refused a write since this was last put back to false: it is full, fails, or only reads. */
  refused = false
  readonly #database: DatabaseSync
  readonly #connection: SqliteConnection
  readonly #handles: DatabaseHandles
  readonly #file: string
  readonly #frames = new Map<Frame, StatementSync>()
  readonly #guard: NestedUseGuard
  readonly #sync: Pick<LogSync, 'flushed' | 'idle' | 'failure' | 'fail'>
  readonly #checkpoints: Pick<LogCheckpoints, 'copy' | 'empty'>
  /** Batches that are committed and not acknowledged yet. */
  readonly #settling = new Set<Promise<void>>()
  #waiting: PendingWrite[] = []
  /** Writes whose log is copied, and is emptied before the next batch. */
  #emptying: PendingWrite[] = []
  #running: Promise<void> | undefined
  #copiesLog: boolean
  /** Since the log was copied last. */
  #uncopied = { writes: 0, batches: 0 }
  /** Whether the rest of the log is copied before the next batch, so that it restarts. */
  #copyRest = false

  constructor(options: {
    readonly database: DatabaseSync
    readonly connection: SqliteConnection
    readonly handles: DatabaseHandles
    readonly guard: NestedUseGuard
    /** The last part of the path, for error texts. */
    readonly file: string
    /** Puts a commit on disk. */
    readonly sync: Pick<LogSync, 'flushed' | 'idle' | 'failure' | 'fail'>
    /** Brings the log into the database. */
    readonly checkpoints: Pick<LogCheckpoints, 'copy' | 'empty'>
    /** Whether the log is copied here, and not by SQLite inside of commits. */
    readonly copiesLog: boolean
  }) {
    this.#database = options.database
    this.#connection = options.connection
    this.#handles = options.handles
    this.#guard = options.guard
    this.#file = options.file
    this.#sync = options.sync
    this.#checkpoints = options.checkpoints
    this.#copiesLog = options.copiesLog
  }

  /** See `Storage.write`. */
  async write<T, Tables>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    timeLimitMs: number,
    options: WriteOptions<T> = {},
  ): Promise<T> {
    this.#guard.assertOutside('write')
    this.#assertSynced()
    if (this.#waiting.length >= LARGEST_QUEUE) throw storageErrors.write_queue_full({ limit: LARGEST_QUEUE })
    const pending = new PendingWrite(timeLimitMs, options as WriteOptions<unknown>)
    this.#waiting.push(pending)
    this.#running ??= this.#run()
    try {
      await pending.turn.promise
      void this.#perform(pending, work)
      return (await pending.acknowledged.promise) as T
    } catch (error) {
      if (isDiskFailure(error)) this.refused = true
      throw error
    }
  }

  /** Resolves when no write is under way or waiting. */
  async idle(): Promise<void> {
    while (this.#running !== undefined || this.#settling.size > 0) await Promise.all([this.#running, ...this.#settling])
    await this.#sync.idle()
  }

  async #perform<T, Tables>(pending: PendingWrite, work: (tx: Transaction<Tables>) => Promise<T>): Promise<void> {
    const { scope } = pending
    const tx = this.#handles.transaction<Tables>(this.#connection, scope)
    try {
      const value = await this.#guard.run(scope, work, tx)
      pending.finish(scope.failure === undefined ? { value } : { error: scope.failure })
    } catch (error) {
      pending.finish({ error })
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length + this.#emptying.length > 0) {
      if (this.#emptying.length > 0) await this.#emptyLog()
      if (this.#copyRest) {
        this.#copyRest = false
        await this.#checkpoint('copy')
      }
      await new Promise<void>(resume => setImmediate(resume))
      if (this.#waiting.length > 0) await this.#commitBatch()
    }
    this.#running = undefined
  }

  async #commitBatch(): Promise<void> {
    const arrived = this.#waiting
    this.#waiting = []
    try {
      this.#assertSynced()
      this.#frame('begin immediate')
    } catch (error) {
      for (const pending of arrived) pending.turn.reject(error)
      return
    }
    const until = performance.now() + LONGEST_BATCH_MS
    const batch: PendingWrite[] = []
    try {
      for (const pending of arrived) {
        if (batch.length >= LARGEST_BATCH || (batch.length > 0 && performance.now() > until)) break
        batch.push(pending)
        if (arrived.length === 1) await this.#runAlone(pending)
        else await this.#runInSavepoint(pending)
      }
      this.#assertSynced()
      this.#frame('commit')
      this.#uncopied = { writes: this.#uncopied.writes + batch.length, batches: this.#uncopied.batches + 1 }
      this.#acknowledge(batch)
    } catch (error) {
      this.#rollBack()
      for (const pending of batch) pending.settle({ error })
    }
    if (batch.length < arrived.length) this.#waiting = [...arrived.slice(batch.length), ...this.#waiting]
  }

  /** After a failed sync no write may run: it could be read, and lost later. */
  #assertSynced(): void {
    if (this.#sync.failure !== undefined) throw this.#sync.failure
  }

  /** Notifies the callers once the commit is on disk; the next batch does not wait for that. */
  #acknowledge(batch: readonly PendingWrite[]): void {
    const settling = this.#settle(batch).finally(() => this.#settling.delete(settling))
    this.#settling.add(settling)
    for (const pending of batch) pending.commit()
  }

  async #settle(batch: readonly PendingWrite[]): Promise<void> {
    try {
      await this.#sync.flushed()
    } catch (error) {
      for (const pending of batch) pending.settle({ error })
      return
    }
    for (const pending of batch) if (pending.log === 'left') pending.settle()
    const { writes, batches } = this.#uncopied
    const isDue = this.#copiesLog && (writes >= PER_COPY.writes || batches >= PER_COPY.batches)
    if (!isDue && batch.every(({ log }) => log === 'left')) return
    this.#uncopied = { writes: 0, batches: 0 }
    // While other batches run; then little is left to copy while they wait.
    const end = await this.#checkpoint('copy')
    this.#copyRest = isDue && end === 'done'
    if (end === 'sync failed') {
      for (const pending of batch) pending.settle({ error: this.#sync.failure })
      return
    }
    for (const pending of batch) if (pending.log === 'copied') pending.settle()
    this.#emptying.push(...batch.filter(({ log }) => log === 'emptied'))
    if (this.#emptying.length > 0) this.#running ??= this.#run()
  }

  /** Runs the only write of a batch; its failure is the batch's. */
  async #runAlone(pending: PendingWrite): Promise<void> {
    const outcome = await this.#runWork(pending)
    if ('error' in outcome) throw outcome.error
  }

  /** Runs one write of several. Throws only when SQLite has rolled all of them back, as it may on a full disk. */
  async #runInSavepoint(pending: PendingWrite): Promise<void> {
    this.#frame('savepoint w')
    const outcome = await this.#runWork(pending)
    if ('error' in outcome) {
      if (!this.#isInTransaction()) throw outcome.error
      this.#frame('rollback to w')
    }
    this.#frame('release w')
  }

  async #runWork(pending: PendingWrite): Promise<Outcome> {
    const { timeLimitMs, scrub } = pending
    const timer = setTimeout(() => pending.finish({ error: storageErrors.write_timeout({ timeLimitMs }) }), timeLimitMs)
    if (scrub) this.#database.exec('pragma secure_delete = on')
    pending.turn.resolve()
    const outcome = await pending.finished.promise
    clearTimeout(timer)
    if (scrub) this.#database.exec(OVERWRITE_FREED)
    return outcome
  }

  /** Empties the log. A reader or a disk that is in the way leaves it for the next time: what is committed stands in it. */
  async #emptyLog(): Promise<void> {
    const batch = this.#emptying
    this.#emptying = []
    if ((await this.#checkpoint('empty')) === 'no thread') this.#emptyLogHere()
    const { failure } = this.#sync
    for (const pending of batch) pending.settle(failure === undefined ? undefined : { error: failure })
  }

  async #checkpoint(kind: 'copy' | 'empty'): Promise<CheckpointEnd> {
    const end = await this.#checkpoints[kind]()
    if (end === 'sync failed') this.#sync.fail()
    if (end === 'no thread' && this.#copiesLog) {
      this.#copiesLog = false
      this.#database.exec('pragma wal_autocheckpoint = 1000')
    }
    return end
  }

  /** For a process that may start no thread. */
  #emptyLogHere(): void {
    try {
      this.#database.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
    } catch (error) {
      if (isSyncFailure(error)) this.#sync.fail(error)
      // Else the log keeps it until the next time.
    } finally {
      this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  #isInTransaction(): boolean {
    if (typeof this.#database.isTransaction === 'boolean') return this.#database.isTransaction
    try {
      this.#database.exec('begin')
      this.#database.exec('rollback')
      return false
    } catch {
      return true
    }
  }

  #rollBack(): void {
    try {
      if (this.#isInTransaction()) this.#frame('rollback')
    } catch {
      // The next `begin immediate` reports what is wrong.
    }
  }

  #frame(sql: Frame): void {
    let statement = this.#frames.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#frames.set(sql, statement)
    }
    try {
      statement.run()
    } catch (error) {
      throw storageErrorOf(error, this.#file)
    }
  }
}
