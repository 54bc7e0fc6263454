import { z } from '@hono/zod-openapi'
import { type CorePorts, keptUsageDays } from '@sibyl/core/ports'
import { type Route, route, utcDay } from '@sibyl/plugin'
import { tokenUsageRecord } from './status-records.ts'

const dayMs = 86_400_000

/** `GET /operator/usage`: tokens by day and by user. */
export const tokenUsageRoute = (usage: CorePorts['tokenUsage'], now: () => number): Route =>
  route.get(
    '/operator/usage',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Count tokens by day, and by user',
      description: `Input and output tokens of turns that ended on a UTC day. Stored for ${keptUsageDays} days, also without TRACES_KEEP_DAYS.`,
      query: z.object({
        days: z.coerce.number().int().min(1).max(keptUsageDays).default(30).meta({ description: 'Days up to today' }),
        users: z.coerce
          .number()
          .int()
          .min(0)
          .max(100)
          .default(20)
          .meta({ description: 'Maximum users, those with the most tokens' }),
      }),
      ok: { 200: { description: 'The usage', schema: tokenUsageRecord } },
    },
    async c => {
      const { days, users } = c.req.valid('query')
      const names = Array.from({ length: days }, (_, index) => utcDay(now() - (days - 1 - index) * dayMs))
      const summary = await usage.summary(names[0]!, users)
      const known = new Map(summary.days.map(day => [day.day, day]))
      return c.json({ ...summary, days: names.map(day => known.get(day) ?? { day, tokens: 0, users: 0 }) }, 200)
    },
  )
