import type { AfterMove } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { CreditsTables } from './credits-tables.ts'

const differing = sql<{ person: number }>`
  select people.person from credits_people as people left join (
    select person, sum(to_person) as available, sum(to_held) as held from credits_transactions group by person
  ) as lines on lines.person = people.person
  where people.available <> coalesce(lines.available, 0) or people.held <> coalesce(lines.held, 0)
  order by people.person limit 10`

/** Compares the balances of users with the sums of the ledger; each transaction balances by a constraint. */
export const afterMove: AfterMove<CreditsTables> = {
  async run({ storage }) {
    const { rows } = await differing.execute(storage.read)
    return rows.map(({ person }) => `The balance of the user ${person} in credits_people is not the sum of the ledger.`)
  },
}
