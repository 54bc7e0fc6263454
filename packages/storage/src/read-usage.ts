import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { parseDatabaseUrl } from './database-url.ts'
import { openStorage } from './open-storage.ts'
import { sql } from './sql/kysely.ts'

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
  /** Called before a table is read. */
  readonly onTable?: (table: string) => void
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
 * @throws the errors of `openStorage` for PostgreSQL
 */
export const readUsage = async (options: UsageOptions): Promise<StorageUsage> => {
  const location = parseDatabaseUrl(options.url)
  if (location.engine === 'postgres') return await readPostgres(options)
  const { path } = location
  if (path === undefined || !existsSync(path)) return { engine: 'sqlite', bytes: 0, tables: [] }
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 })
  try {
    return { ...readSqlite(database, options), logBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0 }
  } finally {
    database.close()
  }
}

const readSqlite = (database: DatabaseSync, { now, onTable = () => {} }: UsageOptions): StorageUsage => {
  const rowsOf = (query: string, ...values: string[]) => database.prepare(query).all(...values)
  const pragma = (name: string) => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
  const parts = new Map<string, string[]>()
  const virtual = rowsOf(`select name from pragma_table_list where schema = 'main' and type = 'virtual'`)
  const trees = rowsOf(`select name, tbl_name as parent from sqlite_schema where rootpage > 0
    union all select 'sqlite_schema', 'sqlite_schema'`)
  for (const tree of trees) {
    const parent = String(tree.parent)
    const name = virtual.map(one => String(one.name)).find(one => parent.startsWith(`${one}_`)) ?? parent
    parts.set(name, [...(parts.get(name) ?? []), String(tree.name)])
  }
  const pages = database.prepare(`select sum(pgsize) as bytes,
    sum(case when pagetype = 'leaf' or ? then ncell else 0 end) as cells from dbstat where name = ?`)
  const tables = [...parts].map(([name, names]): TableUsage => {
    onTable(name)
    const byKey = rowsOf(`select 1 from pragma_table_list where name = ? and wr = 1`, name).length > 0
    let [bytes, rows] = [0, 0]
    for (const one of names) {
      const size = pages.get(byKey ? 1 : 0, one)
      bytes += Number(size?.bytes ?? 0)
      if (one === name) rows = Number(size?.cells ?? 0)
    }
    const columns = rowsOf('select name from pragma_table_info(?)', name).map(column => String(column.name))
    const time = timeColumns.find(column => columns.includes(column))
    if (time === undefined) return { name, rows, bytes, bytesPerDay: undefined }
    const [recent] = rowsOf(`select count(*) as rows from "${name}" where ${time} >= ${now - recentMs}`)
    return { name, rows, bytes, bytesPerDay: growth({ rows, bytes, recent: Number(recent?.rows) }) }
  })
  return {
    engine: 'sqlite',
    bytes: pragma('page_count') * pragma('page_size'),
    freeBytes: pragma('freelist_count') * pragma('page_size'),
    tables: bySize(tables),
  }
}

const readPostgres = async ({ url, now, onTable = () => {} }: UsageOptions): Promise<StorageUsage> => {
  const storage = await openStorage({ url, poolSize: 1 })
  try {
    const found = await sql<{ name: string; rows: number; bytes: number; columns: string[] }>`
      select relname as name, pg_total_relation_size(c.oid) as bytes,
        coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(reltuples, 0))::bigint as rows,
        array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
      from pg_class c where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(storage.read)
    const tables: TableUsage[] = []
    for (const { name, rows, bytes, columns } of found.rows) {
      onTable(name)
      const time = timeColumns.find(column => columns.includes(column))
      const percent = Math.min(100, (100 * sampledBytes) / Math.max(bytes, 1))
      const recent =
        time === undefined
          ? undefined
          : (
              await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}
                tablesample system (${sql.lit(percent)}) where ${sql.ref(time)} >= ${now - recentMs}`.execute(
                storage.read,
              )
            ).rows[0]!.rows
      const bytesPerDay = recent === undefined ? undefined : growth({ rows, bytes, recent: (recent * 100) / percent })
      tables.push({ name, rows, bytes, bytesPerDay })
    }
    const size = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
      storage.read,
    )
    return { engine: 'postgres', bytes: size.rows[0]!.bytes, tables: bySize(tables) }
  } finally {
    await storage.close()
  }
}

const growth = (of: { readonly rows: number; readonly bytes: number; readonly recent: number }): number =>
  of.rows === 0 ? 0 : Math.round((of.bytes * Math.min(of.recent / of.rows, 1)) / recentDays)

const bySize = (tables: readonly TableUsage[]): TableUsage[] =>
  tables.toSorted((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1))
