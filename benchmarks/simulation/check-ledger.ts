import type { SimulatedPostgres } from './simulated-postgres.ts'
import type { World } from './world.ts'

/** Checks after each commit that balances are what the transactions say, and that a turn is charged once. */
export const checkLedger = (world: World, server: SimulatedPostgres): void => {
  const wrong = `
    select p.did, p.available, p.held, sum(t.to_person) as own, sum(t.to_held) as heldByLines
    from credits_people p left join credits_transactions t on t.person = p.person
    group by p.person having p.available != coalesce(sum(t.to_person), 0) or p.held != coalesce(sum(t.to_held), 0) or p.held < 0`
  const check = () => {
    for (const row of server.rows(wrong)) world.violate('the ledger is balanced', JSON.stringify(row))
  }
  let changes = -1
  server.onCommit.push(() => {
    const [row] = server.rows<{ count: number }>('select count(*) as count from credits_transactions')
    if (row && row.count !== changes) check()
    changes = row?.count ?? 0
  })
}
