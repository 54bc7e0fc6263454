import type { Transaction } from 'kysely'
import type { PoolClient, QueryResult } from 'pg'
import { storageErrors } from '../errors/storage-errors.ts'
import { sql } from '../sql/kysely.ts'
import type { DatabaseHandles } from '../transactions/database-handles.ts'
import type { NestedUseGuard } from '../transactions/nested-use-guard.ts'
import { TransactionScope } from '../transactions/transaction-scope.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { isReadOnlyServer, isRetryable, isStalePlan, readOnlyServer, storageErrorOf } from './postgres-errors.ts'
import { breakOff, type PostgresPool } from './postgres-pool.ts'
import { queryTogether } from './transaction-query.ts'

const LARGEST_QUEUE = 10_000
const MOST_TRIES = 25
/** The longest pause after the first try; each further try adds as much. */
const PAUSE_MS = 4
/** From this try on, writes that keep meeting each other go one after the other. */
const FIRST_TRY_IN_LINE = 3

/** The advisory lock that keeps two processes from changing the schema at once: 'sibyl' in ASCII. */
export const SCHEMA_LOCK = 0x736962796c

/** Client-side time limit of a statement that begins or ends a transaction. */
const FRAME_TIME_LIMIT_MS = 10_000

/** The isolation level of a transaction. */
export type Isolation = 'serializable' | 'read committed'

/** The outcome of a transaction; undefined if unknown. */
export type Fate = 'committed' | 'aborted' | undefined

type Outcome<T> = { readonly value: T; readonly broken: boolean } | { readonly error: unknown }

/** A session inside a transaction. */
interface Begun {
  readonly client: PoolClient
  readonly transactionId: string
}

type Work<T, Tables> = (tx: Transaction<Tables>) => Promise<T>

/** Whether the session cannot be used any more. */
const isBroken = (error: unknown): boolean =>
  storageErrors.write_timeout.is(error) ||
  storageErrors.database_unreachable.is(error) ||
  storageErrors.commit_outcome_unknown.is(error) ||
  isStalePlan(error)

/** Runs each write in a transaction of its own and takes it up again when the server asks for that. */
export class PostgresWrites {
  readonly #pool: PostgresPool
  readonly #handles: DatabaseHandles
  readonly #guard: NestedUseGuard
  readonly #server: string
  readonly #fateOf: (transactionId: string) => Promise<Fate>
  readonly #settings: string
  /** The statement that waits for the writes in line; it takes no snapshot, so the transaction sees their changes. */
  #waitInLine = ''
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(options: {
    readonly pool: PostgresPool
    readonly handles: DatabaseHandles
    readonly guard: NestedUseGuard
    /** Where the database is, for error texts. */
    readonly server: string
    /** Asks the server, on another session, what became of a transaction whose commit was not answered. */
    readonly fateOf: (transactionId: string) => Promise<Fate>
    /** The statement that sets the settings of a transaction, where sessions have none. */
    readonly settings: string | undefined
  }) {
    this.#pool = options.pool
    this.#handles = options.handles
    this.#guard = options.guard
    this.#server = options.server
    this.#fateOf = options.fateOf
    this.#settings = options.settings ? `${options.settings}; ` : ''
  }

  /**
   * Runs the first transaction, so that what is wrong shows at once.
   *
   * @param schema is created if it is missing
   */
  async open(timeLimitMs: number, schema: string | undefined): Promise<void> {
    const find = async (tx: Transaction<object>) =>
      (await sql<{ name: string | null }>`select quote_ident(current_schema()) as name`.execute(tx)).rows[0]?.name
    const create = async (tx: Transaction<object>, missing: string) => {
      await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx)
      await sql`create schema if not exists ${sql.id(missing)}`.execute(tx)
      return await find(tx)
    }
    const ensure = async (tx: Transaction<object>) => (await find(tx)) ?? (schema && (await create(tx, schema)))
    const name = await this.write(ensure, timeLimitMs, 'read committed')
    if (name) this.#waitInLine = `lock table ${name}.sibyl_migrations in share update exclusive mode; `
  }

  /** See `Storage.write`. */
  async write<T, Tables>(work: Work<T, Tables>, timeLimitMs: number, isolation: Isolation): Promise<T> {
    this.#guard.assertOutside('write')
    if (this.#pool.waiting >= LARGEST_QUEUE) throw storageErrors.write_queue_full({ limit: LARGEST_QUEUE })
    const attempts = this.#attempts(work, timeLimitMs, isolation)
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

  async #attempts<T, Tables>(work: Work<T, Tables>, timeLimitMs: number, isolation: Isolation): Promise<T> {
    for (let tries = 1; ; tries++) {
      const inLine = tries >= FIRST_TRY_IN_LINE
      const begun = await this.#begin(isolation, inLine)
      const outcome = await this.#attempt(begun, work, timeLimitMs)
      const broken = 'error' in outcome ? isBroken(outcome.error) : outcome.broken
      // At its end a session with a pipeline would wait for what it has sent.
      if (broken) breakOff(begun.client)
      begun.client.release(broken)
      if ('value' in outcome) return outcome.value
      if (!isRetryable(outcome.error)) throw outcome.error
      if (tries >= MOST_TRIES) throw storageErrors.write_conflict({ tries }, { cause: outcome.error })
      await new Promise(resume => setTimeout(resume, Math.random() * PAUSE_MS * tries))
    }
  }

  /** Begins a transaction on a session. A broken session is replaced once: nothing has run on it yet. */
  async #begin(isolation: Isolation, inLine: boolean): Promise<Begun> {
    for (let tries = 1; ; tries++) {
      const client = await this.#pool.connect().catch(error => {
        throw this.#translated(error)
      })
      try {
        const waiting = inLine ? this.#waitInLine : ''
        const begun = await frame(
          client,
          `begin isolation level ${isolation}; ${waiting}${this.#settings}select txid_current()::text as id`,
        )
        return { client, transactionId: String(begun.rows[0]?.id) }
      } catch (cause) {
        client.release(true)
        const error = this.#translated(cause)
        if (tries > 1 || !storageErrors.database_unreachable.is(error)) throw error
      }
    }
  }

  async #attempt<T, Tables>(begun: Begun, work: Work<T, Tables>, timeLimitMs: number): Promise<Outcome<T>> {
    const scope = new TransactionScope()
    const { client } = begun
    try {
      const value = await this.#runWork(client, scope, work, timeLimitMs)
      if (scope.failure !== undefined) throw scope.failure
      const broken = await this.#commit(begun)
      scope.committed()
      return { value, broken }
    } catch (error) {
      if (isBroken(error)) return { error }
      const rolledBack = await frame(client, 'rollback').then(
        () => true,
        () => false,
      )
      return rolledBack
        ? { error }
        : {
            error: storageErrors.database_unreachable(
              { server: this.#server, problem: 'closed the connection' },
              { cause: error },
            ),
          }
    }
  }

  async #runWork<T, Tables>(
    client: PoolClient,
    scope: TransactionScope,
    work: Work<T, Tables>,
    timeLimitMs: number,
  ): Promise<T> {
    const connection = new PostgresConnection(client, {
      timeLimitMs,
      prepares: this.#settings === '',
      run: queryTogether,
      translate: error => this.#translated(error),
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(storageErrors.write_timeout({ timeLimitMs })), timeLimitMs)
    try {
      const tx = this.#handles.transaction<Tables>(connection, scope)
      return await Promise.race([this.#guard.run(scope, work, tx), late.promise])
    } finally {
      clearTimeout(timer)
      scope.end()
    }
  }

  /**
   * Commits; where the answer is lost, the server is asked what became of the transaction.
   *
   * @returns whether the session broke on the way
   */
  async #commit({ client, transactionId }: Begun): Promise<boolean> {
    try {
      const { command } = await frame(client, 'commit')
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled back a transaction at its commit')
      return false
    } catch (cause) {
      const error = this.#translated(cause)
      if (!storageErrors.database_unreachable.is(error)) throw error
      breakOff(client)
      const fate = await this.#fateOf(transactionId).catch(() => undefined)
      if (fate === 'committed') return true
      if (fate === 'aborted') throw error
      throw storageErrors.commit_outcome_unknown({ server: this.#server }, { cause })
    }
  }

  #translated(error: unknown): unknown {
    if (isReadOnlyServer(error)) {
      return storageErrors.database_unreachable({ server: this.#server, problem: readOnlyServer }, { cause: error })
    }
    return storageErrorOf(error, this.#server)
  }
}

/** Runs statements of storage's own, within a time limit; gives the result of the last. */
const frame = async (client: PoolClient, text: string): Promise<QueryResult<{ id?: unknown }>> => {
  const config = { text, query_timeout: FRAME_TIME_LIMIT_MS }
  const results: QueryResult<{ id?: unknown }> | QueryResult<{ id?: unknown }>[] = await client.query(config)
  return Array.isArray(results) ? results.at(-1)! : results
}
