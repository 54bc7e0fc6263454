import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Storage } from './contract/storage.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { openStorage } from './open-storage.ts'
import { sql } from './sql/kysely.ts'
import { QueryProcess } from './sqlite/query-process.ts'

/** The size of a table, with its indexes. Rows and growth are estimates on PostgreSQL. */
export interface TableUsage {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  /** Bytes of the rows of the last 7 days, per day; undefined if the rows have no time. */
  readonly bytesPerDay: number | undefined
}

/** The size of a database. */
export interface StorageUsage {
  readonly engine: 'sqlite' | 'postgres'
  /** Bytes of the whole database: on SQLite its file without the log. */
  readonly bytes: number
  /** SQLite: bytes of the log. */
  readonly logBytes?: number
  /** SQLite: bytes of the file that no table uses. */
  readonly freeBytes?: number
  /** The largest first. */
  readonly tables: readonly TableUsage[]
}

interface UsageOptions {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The connections of an oracle to a PostgreSQL database; without them a connection is opened. */
  readonly storage?: Pick<Storage, 'read'> | undefined
  /** Called before a table is read. */
  readonly onTable?: (table: string) => void
  readonly signal?: AbortSignal | undefined
}

const recentDays = 7
const recentMs = recentDays * 86_400_000
/** PostgreSQL: bytes of a table that are read to estimate its growth. */
const sampledBytes = 50_000_000
/** Columns with the time of a row, the best first. */
const timeColumns = [
  'created_at',
  'started_at',
  'issued_at',
  'received_at',
  'decided_at',
  'kept_at',
  'at',
  'updated_at',
]

/**
 * Reads how much each table stores; nothing for a SQLite file that does not exist. Takes no lock that an oracle waits for.
 *
 * @throws the errors of `openStorage` for PostgreSQL; an error if the queries on a SQLite file fail or are stopped
 */
export const readUsage = async (options: UsageOptions): Promise<StorageUsage> => {
  const location = parseDatabaseUrl(options.url)
  if (location.engine === 'sqlite') return await readSqlite(location.path, options)
  const { url, storage } = options
  if (storage) return await readPostgres(storage, options)
  const opened = await openStorage({ url, poolSize: 1 })
  try {
    return await readPostgres(opened, options)
  } finally {
    await opened.close()
  }
}

interface SqliteTable {
  readonly name: string
  /** The names of the table and its indexes. */
  readonly trees: string[]
  /** Whether it has no rowid: then all pages hold rows. */
  readonly byKey: boolean
  readonly time: string | undefined
}

const readSqlite = async (
  path: string | undefined,
  { now, onTable = () => {}, signal }: UsageOptions,
): Promise<StorageUsage> => {
  if (path === undefined || !existsSync(path)) return { engine: 'sqlite', bytes: 0, tables: [] }
  const { tables, ...size } = await readSqliteSchema(path)
  const timed = tables.filter(({ time }) => time !== undefined)
  const queries = timed.map(
    ({ name, time }) => `select count(*) as rows from "${name}" where ${time} >= ${now - recentMs}`,
  )
  const process = new QueryProcess(path, [pagesQuery, ...queries], done => {
    if (done <= timed.length) onTable(timed[done - 1]!.name)
  })
  onTable(timed[0]?.name ?? '')
  signal?.addEventListener('abort', process.stop, { once: true })
  const [pages = [], ...counts] = await process.results
  const pagesOf = new Map(pages.map(one => [String(one.name), one]))
  const usages = tables.map(({ name, trees, byKey, time }): TableUsage => {
    const bytes = trees.reduce((sum, tree) => sum + Number(pagesOf.get(tree)?.bytes ?? 0), 0)
    const rows = Number(pagesOf.get(name)?.[byKey ? 'cells' : 'leaves'] ?? 0)
    const [recent] = counts[timed.findIndex(one => one.name === name)] ?? []
    const bytesPerDay = time === undefined ? undefined : growth({ rows, bytes, recent: Number(recent?.rows) })
    return { name, rows, bytes, bytesPerDay }
  })
  return { engine: 'sqlite', ...size, tables: bySize(usages) }
}

const pagesQuery = `select name, sum(pgsize) as bytes, sum(ncell) as cells,
  sum(case when pagetype = 'leaf' then ncell else 0 end) as leaves from dbstat group by name`

const readSqliteSchema = async (path: string) => {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 })
  try {
    return schemaOf(database, path)
  } finally {
    database.close()
  }
}

/** Reads the tables of a file, with what a virtual table stores as its own, and the sizes of the file. */
const schemaOf = (database: DatabaseSync, path: string) => {
  const rowsOf = (query: string, ...values: string[]) => database.prepare(query).all(...values)
  const pragma = (name: string) => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
  const virtual = rowsOf(`select name from pragma_table_list where schema = 'main' and type = 'virtual'`)
  const trees = rowsOf(`select name, tbl_name as parent from sqlite_schema where rootpage > 0
    union all select 'sqlite_schema', 'sqlite_schema'`)
  const tables = new Map<string, SqliteTable>()
  for (const tree of trees) {
    const parent = String(tree.parent)
    const name = virtual.map(one => String(one.name)).find(one => parent.startsWith(`${one}_`)) ?? parent
    const table = tables.get(name)
    if (table) table.trees.push(String(tree.name))
    else {
      const columns = rowsOf('select name from pragma_table_info(?)', name).map(column => String(column.name))
      tables.set(name, {
        name,
        trees: [String(tree.name)],
        byKey: rowsOf(`select 1 from pragma_table_list where name = ? and wr = 1`, name).length > 0,
        time: timeColumns.find(column => columns.includes(column)),
      })
    }
  }
  const pageSize = pragma('page_size')
  return {
    bytes: pragma('page_count') * pageSize,
    freeBytes: pragma('freelist_count') * pageSize,
    logBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    tables: [...tables.values()],
  }
}

const readPostgres = async (
  { read }: Pick<Storage, 'read'>,
  { now, onTable = () => {}, signal }: UsageOptions,
): Promise<StorageUsage> => {
  const found = await sql<{ name: string; rows: number; bytes: number; columns: string[] }>`
    select relname as name, pg_total_relation_size(c.oid) as bytes,
      coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(reltuples, 0))::bigint as rows,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_class c where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(read)
  const tables: TableUsage[] = []
  for (const { name, rows, bytes, columns } of found.rows) {
    signal?.throwIfAborted()
    onTable(name)
    const time = timeColumns.find(column => columns.includes(column))
    if (time === undefined) {
      tables.push({ name, rows, bytes, bytesPerDay: undefined })
      continue
    }
    const percent = Math.min(100, (100 * sampledBytes) / Math.max(bytes, 1))
    const recent = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}
      tablesample system (${sql.lit(percent)}) where ${sql.ref(time)} >= ${now - recentMs}`.execute(read)
    const bytesPerDay = growth({ rows, bytes, recent: (recent.rows[0]!.rows * 100) / percent })
    tables.push({ name, rows, bytes, bytesPerDay })
  }
  const size = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(read)
  return { engine: 'postgres', bytes: size.rows[0]!.bytes, tables: bySize(tables) }
}

const growth = (of: { readonly rows: number; readonly bytes: number; readonly recent: number }): number =>
  of.rows === 0 ? 0 : Math.round((of.bytes * Math.min(of.recent / of.rows, 1)) / recentDays)

const bySize = (tables: readonly TableUsage[]): TableUsage[] =>
  tables.toSorted((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1))
