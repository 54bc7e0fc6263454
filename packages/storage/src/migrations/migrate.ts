import type { Kysely, Transaction } from 'kysely'
import { StorageError } from '../errors/storage-error.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { type ColumnTypes, columnTypesFor } from '../sql/column-types.ts'
import type { Engine } from '../sql/engine.ts'
import type { Migrations, UntypedTables } from './migrations.ts'

interface MigrationTables {
  sibyl_migrations: { owner: string; name: string; applied_at: number }
}

/** An applied migration that `moveStorage` adds to its target until all rows are there. */
export const unfinishedMove = { owner: 'core', name: '~move' } as const

const makeTable = (tx: Transaction<MigrationTables>, column: ColumnTypes): Promise<void> =>
  tx.schema
    .createTable('sibyl_migrations')
    .ifNotExists()
    .addColumn('owner', column.text, c => c.notNull())
    .addColumn('name', column.text, c => c.notNull())
    .addColumn('applied_at', column.timestamp, c => c.notNull())
    .addPrimaryKeyConstraint('sibyl_migrations_key', ['owner', 'name'])
    .execute()

const byCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The names to apply in order, and the applied names that the first of them replaces. */
const pendingNames = (owner: string, known: readonly string[], applied: readonly string[]) => {
  if (applied.includes(unfinishedMove.name)) throw storageErrors.move_unfinished()
  const pending = known.filter(name => !applied.includes(name)).sort(byCodeUnits)
  const first = pending[0]
  const replaced = pending.length < known.length ? [] : applied.filter(name => first !== undefined && name < first)
  const unknown = applied.filter(name => !known.includes(name) && !replaced.includes(name))
  if (unknown.length > 0) throw storageErrors.migration_unknown({ owner, names: unknown })
  const last = [...applied].sort(byCodeUnits).at(-1)
  if (first !== undefined && last !== undefined && first < last)
    throw storageErrors.migration_order({ owner, name: first, applied: last })
  return { pending, replaced }
}

const appliedNames = async (db: Kysely<MigrationTables>, owner: string): Promise<readonly string[]> => {
  const rows = await db.selectFrom('sibyl_migrations').select('name').where('owner', '=', owner).execute()
  return rows.map(({ name }) => name)
}

/** Whether exactly an owner's migrations are applied, by a read alone; false where that cannot be read. */
export const isMigrated = async (read: Kysely<object>, owner: string, migrations: Migrations): Promise<boolean> => {
  try {
    const applied = await appliedNames(read as unknown as Kysely<MigrationTables>, owner)
    return applied.length === Object.keys(migrations).length && applied.every(name => Object.hasOwn(migrations, name))
  } catch {
    return false
  }
}

/** Applies an owner's pending migrations inside one transaction and returns their names. */
export const migrate = async (
  transaction: Transaction<object>,
  options: { readonly owner: string; readonly migrations: Migrations; readonly engine: Engine; readonly now: number },
): Promise<readonly string[]> => {
  const tx = transaction as unknown as Transaction<MigrationTables>
  const { owner, migrations } = options
  const column = columnTypesFor(options.engine)
  await makeTable(tx, column)
  const { pending, replaced } = pendingNames(owner, Object.keys(migrations), await appliedNames(tx, owner))
  for (const name of pending) {
    try {
      await migrations[name]?.(transaction as unknown as Transaction<UntypedTables>, column)
    } catch (error) {
      if (error instanceof StorageError && (error.status === 503 || storageErrors.database_rights_missing.is(error))) {
        throw error
      }
      const reason = error instanceof Error ? error.message : String(error)
      throw storageErrors.migration_failed({ owner, name, reason }, { cause: error, facts: { owner, name } })
    }
    await tx.insertInto('sibyl_migrations').values({ owner, name, applied_at: options.now }).execute()
  }
  if (replaced.length > 0) {
    await tx.deleteFrom('sibyl_migrations').where('owner', '=', owner).where('name', 'in', replaced).execute()
  }
  return pending
}
