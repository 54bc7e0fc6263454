import { eachRow, page } from '@sibyl/plugin'
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
  const sums = new Map<LedgerAccount, bigint>()
  for await (const part of eachRow<LedgerPart>(last => nextPart(read, last))) {
    for (const account of ledgerAccounts) sums.set(account, (sums.get(account) ?? 0n) + microOf(part[account]))
  }
  const rows = await read
    .selectFrom('credits_people')
    .select(['person', 'did', 'available', 'held'])
    .where('person', '>', behind)
    .orderBy('person')
    .limit(limit + 1)
    .execute()
  const amounts = ledgerAccounts.map(account => [account, sums.get(account) ?? 0n] as const)
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

/** Sums of the ledger up to a transaction. */
type LedgerPart = Readonly<Record<LedgerAccount, number>> & { readonly at: number; readonly key: string }

/** Number of transactions that are summed at once: others wait for a few milliseconds. */
const perPart = 1_000

const nextPart = async (read: CreditsStorage['read'], last: LedgerPart | undefined): Promise<LedgerPart[]> => {
  const rows = read
    .selectFrom('credits_transactions')
    .where(eb => eb(eb.refTuple('at', 'key'), '>', eb.tuple(last?.at ?? 0, last?.key ?? '')))
  const place = rows.select(['at', 'key']).orderBy('at').orderBy('key')
  const end =
    (await place
      .offset(perPart - 1)
      .limit(1)
      .executeTakeFirst()) ??
    (await rows.select(['at', 'key']).orderBy('at', 'desc').orderBy('key', 'desc').limit(1).executeTakeFirst())
  if (!end) return []
  const sum = (account: LedgerAccount) =>
    sql<number>`cast(coalesce(sum(${sql.ref(`to_${account}`)}), 0) as bigint)`.as(account)
  const sums = await rows
    .where(eb => eb(eb.refTuple('at', 'key'), '<=', eb.tuple(end.at, end.key)))
    .select(ledgerAccounts.map(sum))
    .executeTakeFirstOrThrow()
  return [{ ...sums, ...end }]
}
