import { holderOf, listErrors, nextUtcDay, type Route, route, utcDay } from '@sibyl/plugin'
import { z } from 'zod'
import { formatAmount } from '../definitions/amounts.ts'
import { howToContinue } from '../ledger/policy.ts'
import type { PriceList } from '../prices/price-list.ts'
import { type AccountDependencies, readAccount } from '../reading/read-account.ts'
import { allCharges, chargesPage, readCharges } from '../reading/read-charges.ts'
import { csvAnswer, csvHeaders, csvStream, timeRange } from './csv-table.ts'

const amount = z.string().meta({ description: 'Credits, with up to 6 decimals', example: '98.5' })
const budget = z.object({ perDay: amount, left: amount })
const accountRecord = z.object({
  mode: z.enum(['prepaid', 'metering']).meta({ description: '`metering`: turns are counted and no user is rejected' }),
  balance: amount,
  held: amount.meta({ description: 'The part of the balance that is held for running turns' }),
  usedToday: amount,
  turnsToday: z.int(),
  day: z.string().meta({ description: 'Of UTC', example: '2026-11-22' }),
  resetsAt: z.iso.datetime(),
  neededForATurn: amount,
  prices: z.object({
    turn: amount,
    models: z.record(
      z.string(),
      z.object({ inputPerMillion: amount, cachedInputPerMillion: amount, outputPerMillion: amount }),
    ),
    tools: z.record(z.string(), amount),
  }),
  budget: budget.optional().meta({ description: 'Budget of the caller for a UTC day' }),
  continue: z.string().optional().meta({ description: 'How to continue; set if the balance is too small for a turn' }),
})
/** Creates the routes for users: the caller's own balance and charges. */
export const personRoutes = (account: AccountDependencies, prices: PriceList): Route[] => [
  route.get(
    '/credits',
    {
      auth: { ucan: 'credits/read' },
      summary: 'Get your credit, your usage today and the prices',
      ok: { 200: { description: 'Your account', schema: accountRecord } },
    },
    async c => {
      const did = holderOf(c.get('actor'))
      const { policy, clock } = account
      const { balance, held, usedToday, turnsToday } = await readAccount(account, did)
      const now = clock.now()
      const isMetered = policy.grant === undefined
      const left = (perDay: bigint) => (usedToday < perDay ? perDay - usedToday : 0n)
      c.header('cache-control', 'no-store')
      return c.json(
        {
          mode: isMetered ? ('metering' as const) : ('prepaid' as const),
          balance: formatAmount(balance),
          held: formatAmount(held),
          usedToday: formatAmount(usedToday),
          turnsToday,
          day: utcDay(now),
          resetsAt: new Date(nextUtcDay(now)).toISOString(),
          neededForATurn: formatAmount(isMetered ? 0n : policy.hold),
          prices: pricesRecord(prices),
          ...(policy.personBudget === undefined
            ? {}
            : {
                budget: { perDay: formatAmount(policy.personBudget), left: formatAmount(left(policy.personBudget)) },
              }),
          ...(isMetered || balance - held >= policy.hold ? {} : { continue: howToContinue(did) }),
        },
        200,
      )
    },
  ),
  route.get(
    '/credits/usage',
    {
      auth: { ucan: 'credits/read' },
      summary: 'List the costs of your turns, latest first',
      query: chargesPage.query.extend(timeRange),
      ok: { 200: { description: 'Charges', schema: chargesPage.response } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      const { limit, cursor, ...range } = c.req.valid('query')
      const { did } = c.get('actor')
      return c.json(await readCharges(account.storage, { did, ...range }, { limit, cursor }), 200)
    },
  ),
  route.get(
    '/credits/usage.csv',
    {
      auth: { ucan: 'credits/read' },
      summary: 'Get the costs of your turns as CSV',
      query: z.object(timeRange),
      ok: { 200: csvAnswer('One row per turn, latest first') },
    },
    async c => {
      const { did } = c.get('actor')
      const body = await csvStream(
        [
          'at',
          'turn',
          'channel',
          'model',
          'input_tokens',
          'cached_tokens',
          'output_tokens',
          'tools',
          'credits',
          'billed',
          'outcome',
        ],
        allCharges(account.storage, { did, ...c.req.valid('query') }),
        one => [
          one.at,
          one.turnId,
          one.channel,
          one.model,
          one.inputTokens,
          one.cachedInputTokens,
          one.outputTokens,
          Object.entries(one.tools)
            .map(([tool, count]) => `${tool} ${count}`)
            .join('; '),
          one.credits,
          one.billed,
          one.outcome,
        ],
      )
      return c.body(body, 200, csvHeaders('usage.csv'))
    },
  ),
]

const pricesRecord = ({ turn, models, tools }: PriceList) => ({
  turn: formatAmount(turn),
  models: Object.fromEntries(
    [...models].map(([name, { input, cachedInput, output }]) => [
      name,
      {
        inputPerMillion: formatAmount(input),
        cachedInputPerMillion: formatAmount(cachedInput),
        outputPerMillion: formatAmount(output),
      },
    ]),
  ),
  tools: Object.fromEntries([...tools].map(([name, price]) => [name, formatAmount(price)])),
})
