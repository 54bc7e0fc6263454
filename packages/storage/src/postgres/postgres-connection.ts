import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { CustomTypesConfig, PoolClient, QueryConfig } from 'pg'
import { bindValue } from '../sql/bind-value.ts'
import type { NamedQuery } from '../sql/fixed-statement.ts'
import { assertNoTransactionControl } from '../transactions/transaction-control.ts'
import type { RunQuery } from './transaction-query.ts'

/** The object identifiers of the types whose rows shall read as on SQLite (pg_type.dat). */
const oid = { bytes: 17, int8: 20, numeric: 1700 } as const

const readInteger = (text: string): number | bigint => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

const readBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice('\\x'.length), 'hex'))

const readers: Readonly<Record<number, (text: string) => unknown>> = {
  [oid.bytes]: readBytes,
  [oid.int8]: readInteger,
  [oid.numeric]: Number,
}

type TypeParser = ReturnType<CustomTypesConfig['getTypeParser']>

/** Returns the parsers of column types: those of pg, but integers as numbers, and bytes as a plain Uint8Array. */
export const rowTypes = (defaults: CustomTypesConfig): CustomTypesConfig => ({
  getTypeParser: (typeId, format): TypeParser =>
    (format !== 'binary' && readers[Number(typeId)]) || defaults.getTypeParser(typeId, format),
})

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** A client of pg as Kysely uses it. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #timeLimitMs: number
  readonly #translate: (error: unknown) => unknown
  readonly #run: RunQuery
  readonly #prepares: boolean

  /**
   * @param options timeLimitMs: for one query, on this side of the wire; translate: from pg's errors to storage's; prepares:
   *   whether the session keeps what is prepared by name
   */
  constructor(
    client: PoolClient,
    options: {
      timeLimitMs: number
      translate: (error: unknown) => unknown
      prepares?: boolean
      run?: RunQuery | undefined
    },
  ) {
    this.#client = client
    this.#prepares = options.prepares === true
    this.#run = options.run ?? ((one, config) => one.query(config))
    this.#timeLimitMs = options.timeLimitMs
    this.#translate = options.translate
  }

  async executeQuery<Row>(query: NamedQuery): Promise<QueryResult<Row>> {
    assertNoTransactionControl(query)
    const values = query.parameters.map(bindValue)
    const config: QueryConfig & { query_timeout: number } = {
      text: query.sql,
      values,
      ...(this.#prepares && query.name !== undefined && { name: query.name }),
      query_timeout: this.#timeLimitMs,
    }
    try {
      const { command, rowCount, rows } = await this.#run(this.#client, config)
      return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
    } catch (error) {
      throw this.#translate(error)
    }
  }

  /** Reads all rows at once: the protocol's cursors need a package that storage does not ask for. */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    const { rows } = await this.executeQuery<Row>(query)
    for (let start = 0; start < rows.length; start += chunkSize) yield { rows: rows.slice(start, start + chunkSize) }
  }
}
