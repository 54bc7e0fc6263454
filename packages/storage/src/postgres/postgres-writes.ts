import type { Transaction } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { DatabaseHandles } from '../database-handles.ts'
import { DatabaseUnreachableError } from '../errors/open-errors.ts'
import {
  CommitOutcomeUnknownError,
  WriteConflictError,
  WriteQueueFullError,
  WriteTimeoutError,
} from '../errors/write-errors.ts'
import type { NestedUseGuard } from '../nested-use-guard.ts'
import { TransactionScope } from '../transaction-scope.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { isRetryable, storageErrorOf } from './postgres-errors.ts'

const LARGEST_QUEUE = 10_000
const MOST_TRIES = 25
/** The longest pause after the first try; each further try adds as much. */
const PAUSE_MS = 4
/** From this try on, writes that keep meeting each other go one after the other. */
const FIRST_TRY_IN_LINE = 3
/** The advisory lock they stand in line for. */
const LINE_LOCK = 0x73696279

/** How a transaction begins. */
export type Begin = 'begin isolation level serializable' | 'begin isolation level read committed'

type Outcome<T> = { readonly value: T } | { readonly error: unknown }

type Work<T, Tables> = (tx: Transaction<Tables>) => Promise<T>

/** Whether the session cannot be used any more. */
const isBroken = (error: unknown): boolean =>
  error instanceof WriteTimeoutError ||
  error instanceof DatabaseUnreachableError ||
  error instanceof CommitOutcomeUnknownError

/** Runs each write in a transaction of its own and takes it up again when the server asks for that. */
export class PostgresWrites {
  readonly #pool: Pool
  readonly #handles: DatabaseHandles
  readonly #guard: NestedUseGuard
  readonly #server: string
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(options: {
    readonly pool: Pool
    readonly handles: DatabaseHandles
    readonly guard: NestedUseGuard
    /** Where the database is, for error texts. */
    readonly server: string
  }) {
    this.#pool = options.pool
    this.#handles = options.handles
    this.#guard = options.guard
    this.#server = options.server
  }

  /** See `Storage.write`. */
  async write<T, Tables>(work: Work<T, Tables>, timeLimitMs: number, begin: Begin): Promise<T> {
    this.#guard.assertOutside('write')
    if (this.#pool.waitingCount >= LARGEST_QUEUE) throw new WriteQueueFullError(LARGEST_QUEUE)
    const attempts = this.#attempts(work, timeLimitMs, begin)
    this.#underWay.add(attempts)
    try {
      return await attempts
    } finally {
      this.#underWay.delete(attempts)
    }
  }

  /** Resolves when no write is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  async #attempts<T, Tables>(work: Work<T, Tables>, timeLimitMs: number, begin: Begin): Promise<T> {
    for (let tries = 1; ; tries++) {
      const inLine = tries >= FIRST_TRY_IN_LINE
      const client = await this.#beginOn(inLine ? [`select pg_advisory_lock(${LINE_LOCK})`, begin] : [begin])
      const outcome = await this.#attempt(client, work, timeLimitMs)
      await this.#giveBack(client, 'error' in outcome && isBroken(outcome.error), inLine)
      if ('value' in outcome) return outcome.value
      if (!isRetryable(outcome.error)) throw outcome.error
      if (tries >= MOST_TRIES) throw new WriteConflictError(tries, { cause: outcome.error })
      await new Promise(resume => setTimeout(resume, Math.random() * PAUSE_MS * tries))
    }
  }

  /** A client inside a transaction. One that turns out to be dead is replaced once: nothing has run on it yet. */
  async #beginOn(statements: readonly string[]): Promise<PoolClient> {
    for (let tries = 1; ; tries++) {
      const client = await this.#pool.connect().catch(error => {
        throw this.#translated(error)
      })
      try {
        for (const statement of statements) await client.query(statement)
        return client
      } catch (cause) {
        client.release(true)
        const error = this.#translated(cause)
        if (tries > 1 || !(error instanceof DatabaseUnreachableError)) throw error
      }
    }
  }

  async #giveBack(client: PoolClient, broken: boolean, inLine: boolean): Promise<void> {
    try {
      if (inLine && !broken) await client.query(`select pg_advisory_unlock(${LINE_LOCK})`)
      client.release(broken)
    } catch {
      client.release(true)
    }
  }

  async #attempt<T, Tables>(client: PoolClient, work: Work<T, Tables>, timeLimitMs: number): Promise<Outcome<T>> {
    const scope = new TransactionScope()
    try {
      const value = await this.#runWork(client, scope, work, timeLimitMs)
      if (scope.failure !== undefined) throw scope.failure
      await this.#commit(client)
      scope.committed()
      return { value }
    } catch (error) {
      if (isBroken(error)) return { error }
      const rolledBack = await client.query('rollback').then(
        () => true,
        () => false,
      )
      return rolledBack
        ? { error }
        : { error: new DatabaseUnreachableError(this.#server, 'broke the connection off', { cause: error }) }
    }
  }

  async #runWork<T, Tables>(
    client: PoolClient,
    scope: TransactionScope,
    work: Work<T, Tables>,
    timeLimitMs: number,
  ): Promise<T> {
    const connection = new PostgresConnection(client, { timeLimitMs, translate: error => this.#translated(error) })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new WriteTimeoutError(timeLimitMs)), timeLimitMs)
    try {
      const tx = this.#handles.transaction<Tables>(connection, scope)
      return await Promise.race([this.#guard.run(scope, work, tx), late.promise])
    } finally {
      clearTimeout(timer)
      scope.end()
    }
  }

  async #commit(client: PoolClient): Promise<void> {
    try {
      const { command } = await client.query('commit')
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled a transaction back at its commit')
    } catch (cause) {
      const error = this.#translated(cause)
      throw error instanceof DatabaseUnreachableError ? new CommitOutcomeUnknownError(this.#server, { cause }) : error
    }
  }

  #translated(error: unknown): unknown {
    return storageErrorOf(error, this.#server)
  }
}
