import type { DatabaseConnection, QueryExecutorProvider } from 'kysely'
import { storageErrors } from '../errors/storage-errors.ts'

export interface EachConnection extends DatabaseConnection {
  /** Returns the number of rows that each set changed. */
  runEach(statement: string, sets: readonly (readonly unknown[])[]): readonly number[]
}

/**
 * Runs one statement that changes rows once for each set of values, in their order, and returns the number of rows that each
 * changed. SQLite only, where it costs half of one statement for many rows: the statement is prepared once, and neither it nor
 * a list of rows is built. On PostgreSQL each set would be a round trip.
 *
 * @param tx the transaction that a `write` gave to its work
 * @param statement with `?` in the place of each value
 * @throws `handle_misuse` on PostgreSQL
 * @example await runEach(tx, 'update stock set left = left - ? where item = ?', [[1, 'tea'], [2, 'salt']]) // [1, 1]
 */
export const runEach = (
  tx: QueryExecutorProvider,
  statement: string,
  sets: readonly (readonly unknown[])[],
): Promise<readonly number[]> =>
  tx.getExecutor().provideConnection(async connection => {
    if (!runsEach(connection))
      throw storageErrors.handle_misuse({
        method: 'runEach()',
        instead: 'Pass the transaction of a storage.write on SQLite.',
      })
    return connection.runEach(statement, sets)
  })

/** Returns whether a connection runs a statement for many sets of values. */
export const runsEach = (connection: DatabaseConnection): connection is EachConnection => 'runEach' in connection
