import type { Transaction } from 'kysely'
import type { Storage, WriteOptions } from '../contract/storage.ts'
import { CamelCasePlugin } from '../sql/kysely.ts'

class ColumnNames extends CamelCasePlugin {
  /** Returns the name of a column in the database. */
  columnName(name: string): string {
    return this.snakeCase(name)
  }
}

/** Keys inside of JSON stay as they are. */
const names = new ColumnNames({ maintainNestedObjectKeys: true })

/** Returns the name of a column in the database: `high_at` of `highAt`. */
export const columnName = (name: string): string => names.columnName(name)

/** A storage whose tables have columns in camelCase. */
export interface CamelCaseStorage<Tables> extends Pick<Storage<Tables>, 'engine' | 'read' | 'write'> {}

/**
 * Returns a storage for tables of `defineTable`: columns are camelCase in Kysely and snake_case in the database. Text
 * of `sql` is not changed.
 *
 * @example const storage = camelCaseStorage<PortTables>(host.storage)
 */
export const camelCaseStorage = <Tables>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
): CamelCaseStorage<Tables> => ({
  engine: storage.engine,
  read: storage.read.withPlugin(names),
  write: <Result>(work: (tx: Transaction<Tables>) => Promise<Result>, options?: WriteOptions<Result>) =>
    storage.write<Result>(tx => work(tx.withPlugin(names)), options),
})

/**
 * Returns a transaction that another plugin gave, for tables of `defineTable`; its own columns may have camelCase or not.
 *
 * @example const tx = camelCaseTransaction<PortTables>(given)
 */
export const camelCaseTransaction = <Tables>(tx: object): Transaction<Tables> =>
  (tx as Transaction<Tables>).withoutPlugins().withPlugin(names)
