import type { Expression, ExpressionBuilder, Kysely, SqlBool, Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import { sql } from '../sql/kysely.ts'

/** Rows of a table that are changed in parts. */
export interface RowsToChange<Tables, Table extends keyof Tables & string> {
  readonly table: Table
  /** The columns of the table's primary key. */
  readonly key: readonly [keyof Tables[Table] & string, ...(keyof Tables[Table] & string)[]]
  /** Which of its rows. */
  readonly where: (eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>
  /**
   * SQLite: overwrites what was there in the database's file. The log still has it until a last write with `scrub` empties it.
   *
   * @default false
   */
  readonly scrub?: boolean | undefined
  /**
   * The number of rows that are left for a last write of the caller, which handles them together with others.
   *
   * @default 0
   */
  readonly leave?: number | undefined
  /** Called with the rows of each part, whole, before its write. */
  readonly before?: ((rows: readonly object[]) => Promise<void>) | undefined
  /** Ends the work after the part under way; the rest is left for the next time. */
  readonly signal?: AbortSignal | undefined
}

/** Keys that are read at once. */
const keysAtOnce = 2_000
/** The number of rows of the first part, and the minimum and maximum of later ones. */
const firstRows = 100
const fewestRows = 20
const maxRows = 1_000
/** Target duration of one part, in milliseconds: on SQLite it blocks the event loop. */
const partMs = 5
/** After so many parts the log is copied: sooner than a commit would do it on the event loop. */
const copiedEvery = 4

/** Changes rows in small writes; `change` gets the condition of a part and returns how many rows it changed. */
export const changeInParts = async <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  { table, key, where, scrub, leave = 0, before: prepare, signal }: RowsToChange<Tables, Table>,
  change: (tx: Transaction<AnyTables>, among: Which) => Promise<number>,
): Promise<number> => {
  const which = where as unknown as Which
  const name: string = table
  const among = (some: readonly AnyRow[]): Which => {
    const list = sql.join(some.map(row => sql`(${sql.join(key.map(column => row[column]))})`))
    const columns = sql.join(key.map(column => sql.ref(`${name}.${column}`)))
    if (storage.engine === 'postgres') return eb => eb.and([sql<SqlBool>`(${columns}) in (${list})`, which(eb)])
    const isRow = key.map(
      (column, place) => sql`${sql.ref(`${name}.${column}`)} = part.${sql.ref(`column${place + 1}`)}`,
    )
    // From the keys to the rows: with `where` beside the list, SQLite may walk through all rows that match it for each part.
    return eb => sql<SqlBool>`(${sql.join(key.map(column => sql.ref(column)))}) in (
      select ${columns} from (values ${list}) as part cross join ${sql.table(name)}
      where ${sql.join(isRow, sql` and `)} and ${which(eb)})`
  }
  const read = storage.read as unknown as Kysely<AnyTables>
  let [changed, rows, parts] = [0, firstRows, 0]
  for (;;) {
    const keys = await read.selectFrom(name).select(key).where(which).limit(keysAtOnce).execute()
    if (keys.length <= leave) return changed
    const before = changed
    for (let from = 0, next = 0; from < keys.length; from = next) {
      if (signal?.aborted) return changed
      next = from + rows
      parts += 1
      const some = keys.slice(from, next)
      await prepare?.(await read.selectFrom(name).selectAll().where(among(some)).execute())
      const { count, tookMs } = await storage.write(
        async tx => {
          const start = performance.now()
          const count = await change(tx as unknown as Transaction<AnyTables>, among(some))
          return { count, tookMs: performance.now() - start }
        },
        { isolation: 'read committed', scrub: scrub === true, log: parts % copiedEvery === 0 ? 'copied' : 'left' },
      )
      changed += count
      const fitting = (some.length * partMs) / Math.max(tookMs, 0.1)
      rows = Math.round(Math.min(Math.max(fitting, fewestRows), rows * 2, maxRows))
    }
    if (keys.length < keysAtOnce || changed === before) return changed
  }
}

type AnyRow = Record<string, unknown>

/** Tables of which nothing is known. */
type AnyTables = Record<string, AnyRow>

type Which = (eb: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>
