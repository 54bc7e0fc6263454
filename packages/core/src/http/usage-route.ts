import { holderOf, type Route } from '@sibyl/plugin'
import type { TokenBudgets } from '../budgets/token-budgets.ts'
import { type UsageRecord, usageRecord } from '../records/oracle-records.ts'
import { coreRoute } from './core-route.ts'

/** `GET /usage`: the token usage of the caller today. */
export const usageRoute = (budgets: TokenBudgets): Route =>
  coreRoute.get(
    '/usage',
    {
      auth: { ucan: 'session/read' },
      tags: ['Sessions'],
      summary: 'Read your token usage and budget of today',
      ok: { 200: { description: 'Your tokens of today', schema: usageRecord } },
    },
    async c => {
      const { day, resetsAt, tokens, budget } = await budgets.usedBy(holderOf(c.get('actor')))
      const record: UsageRecord = {
        day,
        resetsAt: new Date(resetsAt).toISOString(),
        tokens,
        ...(budget === 0 ? {} : { budget }),
      }
      return c.json(record, 200)
    },
  )
