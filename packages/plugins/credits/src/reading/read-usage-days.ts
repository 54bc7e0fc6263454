import { page } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { formatAmount, microOf } from '../definitions/amounts.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'
import { usageDay } from '../records/usage-day-record.ts'

/** Pages of the usage of each user and UTC day, latest day first. */
export const usageDaysPage = page({
  name: 'days',
  item: usageDay,
  key: z.tuple([z.string(), z.int()]),
  limit: 100,
  maxLimit: 500,
})

/** Selection of days, as UTC days: `2026-11-29`. */
export interface UsageDaysRequest {
  readonly did?: string | undefined
  readonly from?: string | undefined
  /** Exclusive end. */
  readonly to?: string | undefined
}

/** Returns the usage by day of the users whose accounts pay. Throws `cursor_invalid`. */
export const readUsageDays = async (
  { read }: Pick<CreditsStorage, 'read'>,
  request: UsageDaysRequest,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) => {
  const filters = { ...request }
  const { did, from, to } = request
  const behind = usageDaysPage.read(cursor, filters)
  let query = read
    .selectFrom('credits_charges as charge')
    .innerJoin('credits_people as people', 'people.person', 'charge.person')
    .select(['charge.day', 'charge.person', 'people.did'])
    .select(of => [of.fn.countAll<number>().as('turns'), sql<number>`cast(sum(charge.amount) as bigint)`.as('amount')])
    .groupBy(['charge.day', 'charge.person', 'people.did'])
    .orderBy('charge.day', 'desc')
    .orderBy('charge.person', 'desc')
    .limit(limit + 1)
  if (did !== undefined) query = query.where('people.did', '=', did)
  if (from !== undefined) query = query.where('charge.day', '>=', from)
  if (to !== undefined) query = query.where('charge.day', '<', to)
  if (behind) query = query.where(of => of(of.refTuple('charge.day', 'charge.person'), '<', of.tuple(...behind)))
  return usageDaysPage.make(await query.execute(), {
    limit,
    filters,
    keyOf: ({ day, person }) => [day, person],
    itemOf: row => ({
      day: row.day,
      did: row.did,
      turns: Number(row.turns),
      credits: formatAmount(microOf(row.amount)),
    }),
  })
}
