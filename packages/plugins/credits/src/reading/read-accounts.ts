import { page } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { formatAmount, microOf } from '../definitions/amounts.ts'
import { type CreditsStorage, type LedgerAccount, ledgerAccounts } from '../ledger/credits-tables.ts'

/** Pages of people with their accounts, ordered by number. */
export const accountsPage = page({
  name: 'people',
  item: z.object({ did: z.string(), balance: z.string(), held: z.string() }),
  key: z.int(),
  limit: 100,
  maxLimit: 500,
})

/** Returns the sums of the ledger and a page of people in order of their numbers. Throws `cursor_invalid`. */
export const readAccounts = async (
  { read }: Pick<CreditsStorage, 'read'>,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) => {
  const behind = accountsPage.read(cursor) ?? 0
  const sum = (account: LedgerAccount) =>
    sql<number>`cast(coalesce(sum(${sql.ref(`to_${account}`)}), 0) as bigint)`.as(account)
  const sums = await read.selectFrom('credits_transactions').select(ledgerAccounts.map(sum)).executeTakeFirstOrThrow()
  const rows = await read
    .selectFrom('credits_people')
    .select(['person', 'did', 'available', 'held'])
    .where('person', '>', behind)
    .orderBy('person')
    .limit(limit + 1)
    .execute()
  const amounts = ledgerAccounts.map(account => [account, microOf(sums[account])] as const)
  const totals: Readonly<Record<string, string>> = {
    ...Object.fromEntries(amounts.map(([account, amount]) => [account, formatAmount(amount)])),
    sum: formatAmount(amounts.reduce((total, [, amount]) => total + amount, 0n)),
  }
  return {
    totals,
    ...accountsPage.make(rows, {
      limit,
      keyOf: ({ person }) => person,
      itemOf: ({ did, available, held }) => ({
        did,
        balance: formatAmount(microOf(available) + microOf(held)),
        held: formatAmount(microOf(held)),
      }),
    }),
  }
}
