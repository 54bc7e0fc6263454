import { sql } from '@sibyl/plugin/storage'
import { formatAmount, microOf } from '../amounts.ts'
import { type CreditsStorage, type LedgerAccount, ledgerAccounts } from '../ledger/credits-tables.ts'
import { cursorOf, placeOf } from './cursor.ts'

/** All accounts, for the operator. */
export interface AccountsPage {
  /** The sums of all lines by account, and over all of them, which is 0. */
  readonly totals: Readonly<Record<string, string>>
  readonly people: readonly { readonly did: string; readonly balance: string; readonly held: string }[]
  readonly next?: string
}

/** The sums of the ledger and a page of people, as they came. Throws `credits_cursor_invalid`. */
export const readAccounts = async (
  { read }: Pick<CreditsStorage, 'read'>,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<AccountsPage> => {
  const after = cursor === undefined ? 0 : placeOf(cursor).at
  const sum = (account: LedgerAccount) =>
    sql<number>`cast(coalesce(sum(${sql.ref(`to_${account}`)}), 0) as bigint)`.as(account)
  const sums = await read.selectFrom('credits_transactions').select(ledgerAccounts.map(sum)).executeTakeFirstOrThrow()
  const rows = await read
    .selectFrom('credits_people')
    .select(['person', 'did', 'available', 'held'])
    .where('person', '>', after)
    .orderBy('person')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const totals = ledgerAccounts.map(account => [account, microOf(sums[account])] as const)
  const all = totals.reduce((total, [, amount]) => total + amount, 0n)
  return {
    totals: {
      ...Object.fromEntries(totals.map(([account, amount]) => [account, formatAmount(amount)])),
      sum: formatAmount(all),
    },
    people: shown.map(({ did, available, held }) => ({
      did,
      balance: formatAmount(microOf(available) + microOf(held)),
      held: formatAmount(microOf(held)),
    })),
    ...(rows.length > limit && last ? { next: cursorOf({ at: last.person, key: 'person' }) } : {}),
  }
}
