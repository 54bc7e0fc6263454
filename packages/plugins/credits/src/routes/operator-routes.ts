import { type Clock, type Logger, listErrors, type Route, route } from '@sibyl/plugin'
import { canonicalDid } from '@sibyl/protocol'
import { z } from 'zod'
import { formatAmount, parseAmount, signedAmountText } from '../definitions/amounts.ts'
import { creditsErrors } from '../definitions/credits-errors.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'
import { grantCredits } from '../ledger/grant-credits.ts'
import type { PriceList } from '../prices/price-list.ts'
import { readAccount } from '../reading/read-account.ts'
import { accountsPage, readAccounts } from '../reading/read-accounts.ts'
import { allLines } from '../reading/read-ledger.ts'
import { readSpending } from '../reading/read-spending.ts'
import { readUsageDays, usageDaysPage } from '../reading/read-usage-days.ts'
import { accountBalance } from '../records/account-balance.ts'
import { spendingRecord } from '../records/spending-record.ts'
import { csvAnswer, csvHeaders, csvStream, timeRange } from './csv-table.ts'

const grantBody = z.strictObject({
  did: canonicalDid.meta({
    description: 'Recipient',
    example: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  }),
  amount: signedAmountText.meta({ description: 'Credits as a string; a minus takes them back', example: '100' }),
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line without control characters')
    .meta({ description: 'Reason; the user may read it' }),
})
const day = z.iso.date().optional()
const granted = z.object({
  id: z.string(),
  did: z.string(),
  amount: z.string(),
  reason: z.string(),
  at: z.iso.datetime(),
})
const accounts = accountsPage.response.extend({
  totals: z.record(z.string(), z.string()).meta({
    description:
      'Sums of the ledger by account: `person`, `held`, `oracle`, `issued`, `unbilled`, and the sum of all, which is 0',
  }),
})

const dayRange = {
  from: day.meta({ description: 'A UTC day, inclusive', example: '2026-11-01' }),
  to: day.meta({ description: 'A UTC day, exclusive', example: '2026-12-01' }),
}

/** Dependencies of the operator's routes. */
interface OperatorRoutesDependencies {
  readonly storage: CreditsStorage
  readonly clock: Clock
  readonly prices: Pick<PriceList, 'tools'>
  readonly log: Pick<Logger, 'info'>
}

/** Creates the operator's routes: grants and the ledger. */
export const operatorRoutes = ({ storage, clock, prices, log }: OperatorRoutesDependencies): Route[] => [
  route.post(
    '/credits/grants',
    {
      auth: 'operator',
      summary: 'Grant credit to a user, or take it back',
      headers: z.object({
        'idempotency-key': z.string().min(1).max(255).optional().meta({
          description: 'Two requests with the same key make one grant',
          example: 'invoice-2026-11-0042',
        }),
      }),
      body: grantBody,
      ok: {
        200: { description: 'The grant that this key made before', schema: granted },
        201: { description: 'Made', schema: granted },
      },
      errors: [creditsErrors.idempotency_key_reused],
    },
    async c => {
      const { did: whose, amount, reason } = c.req.valid('json')
      const idempotencyKey = c.req.valid('header')['idempotency-key']
      const grant = { did: whose, amount: parseAmount(amount) ?? 0n, reason, idempotencyKey }
      const { id, isNew, at } = await grantCredits(storage, grant, clock.now())
      if (isNew) log.info('a grant was made', { grant: id, did: whose, amount })
      const record = { id, did: whose, amount, reason, at: new Date(at).toISOString() }
      return isNew ? c.json(record, 201) : c.json(record, 200)
    },
  ),
  route.get(
    '/credits/accounts',
    {
      auth: 'operator',
      summary: 'List all balances and the sums of the ledger',
      query: accountsPage.query,
      ok: { 200: { description: 'The accounts', schema: accounts } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      c.header('cache-control', 'no-store')
      return c.json(await readAccounts(storage, c.req.valid('query')), 200)
    },
  ),
  route.get(
    '/credits/accounts/{did}',
    {
      auth: 'operator',
      summary: 'Get the balance of a user',
      description: 'A user gets the default grant with the first turn; until then the balance is 0.',
      params: z.object({ did: canonicalDid }),
      ok: { 200: { description: 'The account', schema: accountBalance } },
    },
    async c => {
      const { did } = c.req.valid('param')
      const { balance, held, usedToday, turnsToday } = await readAccount(
        { storage, clock, policy: { grant: undefined } },
        did,
      )
      c.header('cache-control', 'no-store')
      const amounts = { balance: formatAmount(balance), held: formatAmount(held), usedToday: formatAmount(usedToday) }
      return c.json({ did, ...amounts, turnsToday }, 200)
    },
  ),
  route.get(
    '/credits/days',
    {
      auth: 'operator',
      summary: 'List the usage of each user and UTC day, latest first',
      query: usageDaysPage.query.extend({
        did: canonicalDid.optional().meta({ description: 'Only the account of this user' }),
        ...dayRange,
      }),
      ok: { 200: { description: 'Usage by day and user', schema: usageDaysPage.response } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      const { limit, cursor, ...request } = c.req.valid('query')
      c.header('cache-control', 'no-store')
      return c.json(await readUsageDays(storage, request, { limit, cursor }), 200)
    },
  ),
  route.get(
    '/credits/spending',
    {
      auth: 'operator',
      summary: 'Sum the spending by person, day, model or tool, the largest first',
      description: 'Tools have the number of their runs at the prices of today. At most 500 rows.',
      query: z.object({ by: z.enum(['person', 'day', 'model', 'tool']), ...dayRange }),
      ok: { 200: { description: 'The sums', schema: spendingRecord } },
    },
    async c => {
      c.header('cache-control', 'no-store')
      const spending = await readSpending(storage, c.req.valid('query'), tool => prices.tools.get(tool) ?? 0n)
      return c.json(spending, 200)
    },
  ),
  route.get(
    '/credits/ledger',
    {
      auth: 'operator',
      summary: 'Get the ledger as CSV',
      query: z.object(timeRange),
      ok: { 200: csvAnswer('One row for each line of a transaction, in chronological order') },
    },
    async c => {
      const { from = 0, to = Number.MAX_SAFE_INTEGER } = c.req.valid('query')
      const body = await csvStream(
        ['at', 'transaction', 'kind', 'account', 'did', 'credits'],
        allLines(storage, { from, to }),
        line => [line.at, line.transaction, line.kind, line.account, line.did, line.credits],
      )
      return c.body(body, 200, csvHeaders('ledger.csv'))
    },
  ),
]
