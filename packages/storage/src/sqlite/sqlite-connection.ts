import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'
import { storageErrors } from '../errors/storage-errors.ts'
import { bindValue } from '../sql/bind-value.ts'
import { SQLITE_BOOLEAN_TYPE, SQLITE_JSON_TYPE } from '../sql/column-types.ts'
import type { EachConnection } from '../transactions/run-each.ts'
import { assertNoControl, assertNoTransactionControl } from '../transactions/transaction-control.ts'
import { isReadOnlyFailure, storageErrorOf } from './sqlite-errors.ts'

const STATEMENTS_KEPT = 256

/** A prepared statement with what is needed to read its rows; no columns means that it returns none. */
interface PreparedStatement {
  readonly statement: StatementSync
  readonly columns: readonly { readonly name: string; readonly type: string | null }[]
}

const bind = (value: unknown, index: number): SQLInputValue => {
  const bound = bindValue(value, index)
  return typeof bound === 'boolean' ? Number(bound) : bound
}

const readInteger = (value: bigint): number | bigint => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A connection of node:sqlite as Kysely uses it: keeps prepared statements and reads rows by the declared column types. */
export class SqliteConnection implements EachConnection {
  readonly #database: DatabaseSync
  readonly #file: string
  readonly #readOnly: boolean
  readonly #statements = new Map<string, PreparedStatement>()
  #isStale = false

  /** @param options file: the last part of the path, for error texts; readOnly: whether a change is a caller's mistake */
  constructor(database: DatabaseSync, options: { readonly file: string; readonly readOnly: boolean }) {
    this.#database = database
    this.#file = options.file
    this.#readOnly = options.readOnly
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertNoTransactionControl(query)
    const parameters = query.parameters.map(bind)
    try {
      const prepared = this.#prepared(query.sql)
      // `run` does the first step alone, and `pragma incremental_vacuum` has a step for each page.
      if (prepared.columns.length > 0 || query.sql.startsWith('pragma'))
        return { rows: this.#rows<Row>(prepared, parameters) }
      const { changes } = prepared.statement.run(...parameters)
      return { numAffectedRows: BigInt(changes), rows: [] }
    } catch (error) {
      throw this.#translated(error)
    }
  }

  runEach(statement: string, sets: readonly (readonly unknown[])[]): readonly number[] {
    assertNoControl(statement)
    const bound = sets.map(values => values.map(bind))
    try {
      const { statement: prepared } = this.#prepared(statement)
      return bound.map(values => Number(prepared.run(...values).changes))
    } catch (error) {
      throw this.#translated(error)
    }
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    const parameters = query.parameters.map(bind)
    try {
      const prepared = this.#prepare(query.sql)
      let rows: Row[] = []
      for (const row of prepared.statement.iterate(...parameters)) {
        rows.push(this.#row<Row>(prepared, row))
        if (rows.length < chunkSize) continue
        yield { rows }
        rows = []
      }
      if (rows.length > 0) yield { rows }
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /**
   * Forgets the prepared statements, which remember the columns of the old schema, and has SQLite see the new one before the
   * next: it notices a change by another connection only when a statement runs.
   */
  schemaChanged(): void {
    this.#statements.clear()
    this.#isStale = true
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    const prepared = this.#prepare(sql)
    this.#statements.set(sql, prepared)
    if (this.#statements.size > STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next()
      if (!oldest.done) this.#statements.delete(oldest.value)
    }
    return prepared
  }

  #prepare(sql: string): PreparedStatement {
    if (this.#isStale) this.#database.exec('select 1 from sqlite_schema limit 1')
    this.#isStale = false
    const statement = this.#database.prepare(sql)
    statement.setReadBigInts(true)
    const columns = statement.columns().map(({ name, type }) => ({ name, type: type?.toLowerCase() ?? null }))
    return { statement, columns }
  }

  #rows<Row>(prepared: PreparedStatement, parameters: SQLInputValue[]): Row[] {
    const found = prepared.statement.all(...parameters)
    const rows: Row[] = new Array(found.length)
    for (let index = 0; index < found.length; index++) rows[index] = this.#row<Row>(prepared, found[index]!)
    return rows
  }

  #row<Row>(prepared: PreparedStatement, found: Record<string, unknown>): Row {
    const row: Record<string, unknown> = {}
    for (const { name, type } of prepared.columns) {
      const value = found[name]
      if (typeof value === 'bigint') row[name] = type === SQLITE_BOOLEAN_TYPE ? value !== 0n : readInteger(value)
      else row[name] = type === SQLITE_JSON_TYPE && typeof value === 'string' ? JSON.parse(value) : value
    }
    return row as Row
  }

  #translated(error: unknown): unknown {
    return this.#readOnly && isReadOnlyFailure(error)
      ? storageErrors.read_only_access({ cause: error })
      : storageErrorOf(error, this.#file)
  }
}
