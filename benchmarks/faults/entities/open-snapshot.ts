import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** The rows of a database at one moment, read from outside. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres'
  /** Numbers come as numbers, and JSON is read where a column name stands in `json`. */
  rows<Row>(statement: string, json?: readonly (keyof Row & string)[]): Promise<readonly Row[]>
}

/**
 * Opens a database as it is now. Of SQLite, no process may have it open: it is copied with its log, so that what the
 * next oracle finds is what the killed one left behind.
 *
 * @param url `file:…` or `postgres:…`
 */
export const openSnapshot = async (url: string): Promise<Snapshot> =>
  url.startsWith('file:') ? ofFile(url.slice('file:'.length)) : ofServer(url)

const read = <Row>(row: object, json: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      json.includes(name) && typeof value === 'string' ? JSON.parse(value) : value,
    ]),
  ) as Row

const ofFile = (path: string): Snapshot => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-copy-'))
  const copy = join(folder, 'sibyl.db')
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end)
  const database = new DatabaseSync(copy)
  return {
    engine: 'sqlite',
    rows: async (statement, json = []) =>
      database
        .prepare(statement)
        .all()
        .map(row => read(row, json)),
    async [Symbol.asyncDispose]() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const ofServer = async (url: string): Promise<Snapshot> => {
  const types = {
    getTypeParser: (oid: number, format?: never) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)),
  }
  const client = new pg.Client({ connectionString: url, types: types as never })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  return {
    engine: 'postgres',
    rows: async (statement, json = []) => (await client.query(statement)).rows.map(row => read(row, json)),
    [Symbol.asyncDispose]: () => client.end(),
  }
}
