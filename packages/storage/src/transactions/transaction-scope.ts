import type { ConnectionProvider, DatabaseConnection, QueryExecutorProvider } from 'kysely'
import { storageErrors } from '../errors/storage-errors.ts'
import { type EachConnection, runsEach } from './run-each.ts'

interface ScopedConnection extends DatabaseConnection, Partial<Pick<EachConnection, 'runEach'>> {
  afterCommit(run: () => void): void
}

/**
 * Runs something once the write that a transaction belongs to is on disk, and never when it is not. `run` must not throw.
 *
 * @param tx the transaction that a `write` gave to its work
 */
export const afterCommit = (tx: QueryExecutorProvider, run: () => void): Promise<void> =>
  tx.getExecutor().provideConnection(async connection => {
    if (!isScoped(connection))
      throw storageErrors.handle_misuse({
        method: 'afterCommit()',
        instead: 'Pass the transaction of a storage.write.',
      })
    connection.afterCommit(run)
  })

const isScoped = (connection: DatabaseConnection): connection is ScopedConnection => 'afterCommit' in connection

/**
 * The life of one write's transaction: usable from its start until its work ended or one of its statements failed.
 * After a failure PostgreSQL refuses every further statement; this makes SQLite do the same.
 */
export class TransactionScope {
  readonly #afterCommit: (() => void)[] = []
  #active = true
  #failure: unknown

  /** Whether the work is still running. */
  get active(): boolean {
    return this.#active
  }

  /** The first error of a statement, if any. */
  get failure(): unknown {
    return this.#failure
  }

  /** Calls the listeners of `afterCommit`. */
  committed(): void {
    for (const run of this.#afterCommit) run()
  }

  /** No statement may come after this. */
  end(): void {
    this.#active = false
  }

  /** Lets queries through to the connection while the scope is usable. */
  guard(connection: DatabaseConnection): ConnectionProvider {
    const guarded: ScopedConnection = {
      afterCommit: run => this.#afterCommit.push(run),
      executeQuery: async query => {
        this.#assertUsable()
        try {
          return await connection.executeQuery(query)
        } catch (error) {
          this.#failure ??= error
          throw error
        }
      },
      streamQuery: (query, chunkSize) => {
        this.#assertUsable()
        return connection.streamQuery(query, chunkSize)
      },
      ...(runsEach(connection) && {
        runEach: (statement, sets) => {
          this.#assertUsable()
          try {
            return connection.runEach(statement, sets)
          } catch (error) {
            this.#failure ??= error
            throw error
          }
        },
      }),
    }
    return { provideConnection: consumer => consumer(guarded) }
  }

  #assertUsable(): void {
    if (!this.#active) throw storageErrors.transaction_ended({ event: endedEvent }, { facts: { reason: 'ended' } })
    if (this.#failure !== undefined)
      throw storageErrors.transaction_ended(
        { event: failedEvent },
        { cause: this.#failure, facts: { reason: 'failed' } },
      )
  }
}

const endedEvent = 'its write had ended. Await every query inside the callback.'
const failedEvent =
  'one of its statements had failed. Let the error end the write; use onConflict if a conflict is expected.'
