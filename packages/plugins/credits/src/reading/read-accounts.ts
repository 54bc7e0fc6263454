import { sql } from '@sibyl/core/storage'
import { formatAmount, microOf } from '../amounts.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'
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
  const sums = await read
    .selectFrom('credits_lines')
    .select(['account', sql<number>`cast(sum(amount) as bigint)`.as('sum')])
    .groupBy('account')
    .execute()
  const rows = await read
    .selectFrom('credits_people')
    .select(['person', 'did', 'available', 'held'])
    .where('person', '>', after)
    .orderBy('person')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const all = sums.reduce((total, { sum }) => total + microOf(sum), 0n)
  return {
    totals: {
      ...Object.fromEntries(sums.map(({ account, sum }) => [account, formatAmount(microOf(sum))])),
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
