import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** The accounts that are in the database. */
export interface MadeAccounts {
  readonly made: number
  /** Beyond the first of the same phone. */
  readonly twice: number
  readonly ids: ReadonlySet<string>
}

interface Row {
  readonly id: string
  readonly phone_hash: string
}

const statement = 'select id, phone_hash from ussd_customers'

/** Reads the accounts from outside, once no oracle runs. @param url of the database: `file:…` or `postgres:…` */
export const readAccounts = async (url: string): Promise<MadeAccounts> => {
  const rows = url.startsWith('file:') ? fromFile(url.slice('file:'.length)) : await fromServer(url)
  return {
    made: rows.length,
    twice: rows.length - new Set(rows.map(row => row.phone_hash)).size,
    ids: new Set(rows.map(({ id }) => id)),
  }
}

const fromFile = (path: string): readonly Row[] => {
  const database = new DatabaseSync(path)
  try {
    return database.prepare(statement).all() as unknown as readonly Row[]
  } finally {
    database.close()
  }
}

const fromServer = async (url: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
