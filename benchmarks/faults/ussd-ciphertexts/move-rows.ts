import { DatabaseSync } from 'node:sqlite'

const moves = [['pin'], ['profile'], ['pin', 'profile'], ['pin', 'profile', 'phone_hash', 'created_at']] as const

/**
 * Gives each customer what another one has: in turns the PIN, the profile, both, or the whole row but its id. Once no oracle
 * runs.
 */
export const moveRows = (file: string, ids: readonly string[]): void => {
  const database = new DatabaseSync(file)
  try {
    const read = database.prepare('select * from ussd_customers where id = ?')
    const rows = ids.map(id => read.get(id) as Record<string, string | number>)
    rows.forEach((_, index) => {
      const from = rows[(index + moves.length) % rows.length]!
      const columns = moves[index % moves.length]!
      const set = columns.map(column => `${column} = ?`).join(', ')
      const values = columns.map(column => from[column]!)
      database.prepare(`update ussd_customers set ${set} where id = ?`).run(...values, ids[index]!)
    })
  } finally {
    database.close()
  }
}
