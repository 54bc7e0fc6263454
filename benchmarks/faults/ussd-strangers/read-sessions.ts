import { DatabaseSync } from 'node:sqlite'

/** Every session's row, as text, by its key: read from outside while the oracle runs. */
export const readSessions = (file: string): ReadonlyMap<string, string> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select * from ussd_sessions').all() as { readonly key: string }[]
    return new Map(rows.map(row => [row.key, JSON.stringify(row)]))
  } finally {
    database.close()
  }
}
