import type { SQLInputValue } from 'node:sqlite'

/** A response to a query, in the form of pg. */
export interface QueryReply {
  readonly command: string
  readonly rowCount: number
  readonly rows: readonly unknown[]
}

/** An error of the server with its SQLSTATE. */
export class ServerError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** SQLSTATE codes by the extended result codes of SQLite. */
export const sqlStates: Readonly<Record<number, string>> = {
  275: '23514',
  787: '23503',
  1299: '23502',
  1811: '23514',
  1555: '23505',
  2067: '23505',
}

/** Returns a response. */
export const reply = (rows: readonly unknown[] = [], command = 'SELECT', rowCount = rows.length): QueryReply => ({
  command,
  rowCount,
  rows,
})

/** Returns a value as SQLite takes it. */
export const bindValue = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return Number(value)
  return (value instanceof Date ? value.getTime() : (value ?? null)) as SQLInputValue
}

/** Returns a value of a column as the driver of PostgreSQL reads it. */
export const readValue = (value: unknown, type: string | null): unknown => {
  if (typeof value === 'bigint') {
    if (type === 'boolean') return value !== 0n
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  return type === 'json_text' && typeof value === 'string' ? JSON.parse(value) : value
}
