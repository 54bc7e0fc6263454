import type { ConnectionProvider, DatabaseConnection } from 'kysely'
import { TransactionEndedError } from './errors/write-errors.ts'

/**
 * The life of one write's transaction: usable from its start until its work ended or one of its statements failed.
 * After a failure PostgreSQL refuses every further statement; this makes SQLite do the same.
 */
export class TransactionScope {
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

  /** No statement may come after this. */
  end(): void {
    this.#active = false
  }

  /** Lets queries through to the connection while the scope is usable. */
  guard(connection: DatabaseConnection): ConnectionProvider {
    const guarded: DatabaseConnection = {
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
    }
    return { provideConnection: consumer => consumer(guarded) }
  }

  #assertUsable(): void {
    if (!this.#active) throw new TransactionEndedError('ended')
    if (this.#failure !== undefined) throw new TransactionEndedError('failed', { cause: this.#failure })
  }
}
