import { createHash } from 'node:crypto'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import { sql } from '../sql/kysely.ts'
import { readColumns, storedTypes } from '../tables/stored-column.ts'

/** Maximum number of rows and of bytes, by the rows before, that are read at once. */
const maxRows = 1_000
const pageBytes = 4_000_000
/** Below the limit of both engines on the parameters of a statement. */
const maxParameters = 30_000

/** A table as both databases have it. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
}

interface MovedColumn {
  readonly name: string
  readonly isJson: boolean
}

/** Values of a row in the order of the columns, JSON as its text. */
export type MovedRow = readonly unknown[]

/** Names of the tables of a database, without those of a full-text index. */
export const tableNames = async ({ engine, read }: Pick<Storage, 'engine' | 'read'>): Promise<readonly string[]> => {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_list
          where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`
      : sql<{ name: string }>`select relname as name from pg_class
          where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname collate "C"`
  return (await query.execute(read)).rows.map(({ name }) => name)
}

/** Returns the columns of a table, by name. */
export const movedColumns = async (
  { engine, read }: Pick<Storage, 'engine' | 'read'>,
  table: string,
): Promise<readonly MovedColumn[]> =>
  (await readColumns(engine, read, table))
    .map(({ name, type }) => ({ name, isJson: type === storedTypes[engine].json }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

export interface Page {
  readonly rows: readonly MovedRow[]
  /** The key of the last row, as JSON: where the next page begins. */
  readonly last: string | undefined
}

/** Reads the pages of a table in the order of its primary key, or of its rows in the file. */
export async function* readPages(
  { engine, read }: Pick<Storage, 'engine' | 'read'>,
  { name, columns }: MovedTable,
  after: string | undefined,
): AsyncGenerator<Page> {
  const stored = await readColumns(engine, read, name)
  const keys = stored.filter(({ keyPlace }) => keyPlace !== undefined).sort((a, b) => a.keyPlace! - b.keyPlace!)
  const place = engine === 'sqlite' ? sql`rowid` : sql`ctid`
  const keyParts = keys.length > 0 ? keys.map(key => sql.ref(key.name)) : [place]
  const keyValues = keyParts.map((part, index) => sql`${part} as ${sql.ref(`key ${index}`)}`)
  const values = columns.map((column, index) => {
    const value = column.isJson ? sql`cast(${sql.ref(column.name)} as text)` : sql.ref(column.name)
    return sql`${value} as ${sql.ref(`value ${index}`)}`
  })
  let from = after === undefined ? undefined : keyFromText(after)
  for (let limit = 50; ; ) {
    const start = from && sql`where (${sql.join(keyParts)}) > (${sql.join(boundKey(from, keys.length > 0, engine))})`
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join([...keyValues, ...values])} from ${sql.table(name)} ${start ?? sql``}
      order by ${sql.join(keyParts)} limit ${sql.lit(limit)}`.execute(read)
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return
    from = keyParts.map((_, index) => lastRow[`key ${index}`])
    const page = rows.map(row => columns.map((_, index) => row[`value ${index}`]))
    yield { rows: page, last: keyToText(from) }
    if (rows.length < limit) return
    limit = Math.max(1, Math.min(maxRows, Math.floor((limit * pageBytes) / bytesOf(page))))
  }
}

const boundKey = (values: readonly unknown[], isKey: boolean, engine: Storage['engine']): RawBuilder<unknown>[] =>
  values.map(value => (isKey || engine === 'sqlite' ? sql`${value}` : sql`${value}::tid`))

const bytesOf = (rows: readonly MovedRow[]): number =>
  rows.flat().reduce<number>((sum, value) => {
    const isLong = typeof value === 'string' || value instanceof Uint8Array
    return sum + (isLong ? value.length : 8)
  }, 1)

/** Writes a value as text that is the same on both engines: JSON with the kind of each value. */
const canonical = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'bigint') return { n: `${value}` }
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') }
  return value
}

const keyToText = (values: readonly unknown[]): string => JSON.stringify(values.map(canonical))

const keyFromText = (text: string): readonly unknown[] =>
  (JSON.parse(text) as unknown[]).map(value => {
    if (typeof value !== 'object' || value === null) return value
    if ('b' in value) return Uint8Array.from(Buffer.from(String(value.b), 'base64'))
    const digits = String((value as { readonly n: string }).n)
    return /^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits)
  })

/** Inserts rows, in statements below the limit on parameters. */
export const insertRows = async (
  tx: Transaction<object>,
  { name, columns }: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> => {
  const maxRowsAtOnce = Math.max(1, Math.floor(maxParameters / columns.length))
  const names = sql.join(columns.map(column => sql.ref(column.name)))
  for (let from = 0; from < rows.length; from += maxRowsAtOnce) {
    const values = rows.slice(from, from + maxRowsAtOnce).map(row => sql`(${sql.join([...row])})`)
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx)
  }
}

/** Rows of a table, and a digest of their values that does not depend on their order. */
export interface TableDigest {
  readonly rows: number
  /** Sum of the SHA-256 of the rows, modulo 2^256, in hex. */
  readonly digest: string
}

/** Reads the whole table. */
export const digestOf = async (
  storage: Pick<Storage, 'engine' | 'read'>,
  table: MovedTable,
  onPage: (rows: number) => void,
): Promise<TableDigest> => {
  let [rows, sum] = [0, 0n]
  for await (const page of readPages(storage, table, undefined)) {
    for (const row of page.rows) {
      sum += BigInt(`0x${createHash('sha256').update(keyToText(row)).digest('hex')}`)
    }
    rows += page.rows.length
    onPage(page.rows.length)
  }
  return { rows, digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') }
}

export const countRows = async (read: Kysely<object>, table: string): Promise<number> => {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(read)
  return rows[0]?.rows ?? 0
}

/** Continues the numbers of a table's serial column where the source stopped. */
export const moveSerial = async (from: Pick<Storage, 'engine' | 'read'>, to: Storage, table: string): Promise<void> => {
  const last = await (from.engine === 'sqlite' ? sqliteSerial : postgresSerial)(from.read, table)
  if (last === undefined) return
  await to.write(async tx => {
    if (to.engine === 'postgres') {
      await sql`select setval(${sequenceOf(table)}, ${last})`.execute(tx)
      return
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx)
  })
}

const sqliteSerial = async (read: Kysely<object>, table: string): Promise<number | undefined> => {
  const { rows } = await sql`select 1 from sqlite_schema where name = 'sqlite_sequence'`.execute(read)
  if (rows.length === 0) return undefined
  const query = sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`
  return (await query.execute(read)).rows[0]?.seq
}

const postgresSerial = async (read: Kysely<object>, table: string): Promise<number | undefined> => {
  const query = sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`
  return (await query.execute(read)).rows[0]?.last ?? undefined
}

/** The sequence of the serial column; null without one. */
const sequenceOf = (table: string) => sql`(
  select pg_get_serial_sequence(${table}, attname)::regclass from pg_attribute where attrelid = to_regclass(${table})
  and attnum > 0 and not attisdropped and pg_get_serial_sequence(${table}, attname) is not null)`
