import { type Clock, type Route, route, utcDay } from '@sibyl/plugin'
import { z } from 'zod'
import type { FlowEvent } from '../counts/flow-counts.ts'
import { type DayRange, keptDays, readFlowCounts } from '../counts/read-flow-counts.ts'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { Flow } from '../flow/flow.ts'
import { flowGraph } from '../flow/flow-graph.ts'
import { countsRecord, type FlowRecord, flowRecord } from '../records/flow-records.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'

const day = z.iso.date()

const dayMs = 86_400_000

/** Days of a range without `from`. */
const usualDays = 7

export interface FlowRoutesDependencies {
  readonly flow: Flow
  readonly storage: Pick<UssdStorage, 'read'>
  readonly clock: Clock
  readonly gateway: FlowRecord['gateway']
}

/** Returns `GET /api/ussd/flow` and `GET /api/ussd/flow/counts` for operators. */
export const flowRoutes = ({ flow, storage, clock, gateway }: FlowRoutesDependencies): Route[] => [
  route.get(
    '/api/ussd/flow',
    {
      auth: 'operator',
      summary: 'Read the flow of the menus as a graph',
      description: 'The screens, their texts by language, and the ways between them.',
      ok: { 200: { description: 'The flow', schema: flowRecord } },
      errors: [{ code: 'operator_token_needed', status: 401 }],
    },
    c => c.json({ ...flowGraph(flow), gateway }, 200),
  ),
  route.get(
    '/api/ussd/flow/counts',
    {
      auth: 'operator',
      summary: 'Count where sessions stop',
      description:
        'By screen, without phone numbers. Counts are written every 5 seconds, so that a process that is killed loses those of ' +
        `its last seconds. They are kept ${keptDays} days.`,
      query: z.object({
        from: day
          .optional()
          .meta({ description: 'The first UTC day; 6 days before `to` if it is missing', example: '2026-11-22' }),
        to: day.optional().meta({ description: 'The last UTC day; today if it is missing', example: '2026-11-28' }),
      }),
      ok: { 200: { description: 'The counts', schema: countsRecord } },
      errors: [ussdErrors.day_range_invalid, { code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const range = rangeOf(c.req.valid('query'), clock.now())
      const { screens, days } = await readFlowCounts(storage, range)
      return c.json(
        {
          ...range,
          screens: screens.map(row => ({ screen: row.screen, ...countsOf(row) })),
          days: days.map(row => ({ day: row.day, ...countsOf(row) })),
        },
        200,
      )
    },
  ),
]

const rangeOf = ({ from, to }: { [End in keyof DayRange]?: string | undefined }, now: number): DayRange => {
  const last = to ?? utcDay(now)
  const first = from ?? utcDay(Date.parse(last) - (usualDays - 1) * dayMs)
  if (first > last) throw ussdErrors.day_range_invalid()
  return { from: first, to: last }
}

const countsOf = (row: Readonly<Record<FlowEvent, number>>) => ({
  entered: row.entered,
  continued: row.continued,
  endedByFlow: row.flow_ended,
  endedByUser: row.user_ended,
  timedOut: row.timed_out,
  errors: row.errors,
})
