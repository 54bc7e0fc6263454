import { type Clock, type Route, route } from '@sibyl/plugin'
import { utcDay } from '@sibyl/protocol'
import { z } from 'zod'
import type { FlowEvent } from '../counts/flow-counts.ts'
import { type DayRange, keptDays, readFlowCounts } from '../counts/read-flow-counts.ts'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { Flow } from '../flow/flow.ts'
import { flowGraph } from '../flow/flow-graph.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'

const texts = z
  .record(z.string(), z.string())
  .meta({ description: 'By language code', example: { en: 'Welcome', sw: 'Karibu' } })

const gatewayRecord = z
  .object({
    onlyTrusted: z.boolean().meta({ description: 'Whether only trusted gateways may call: `USSD_GATEWAY_ONLY`' }),
    textMode: z.enum(['cumulative', 'last', 'auto']).meta({ description: '`USSD_TEXT_MODE`' }),
    serviceCodes: z.array(z.string()).meta({ description: '`USSD_SERVICE_CODES`', example: ['*1234#'] }),
    sessionSeconds: z.int().meta({ description: '`USSD_SESSION_TTL_SECONDS`' }),
    replySeconds: z.int().meta({ description: '`USSD_REPLY_TIMEOUT_SECONDS`' }),
    providers: z
      .array(z.object({ name: z.string(), title: z.string() }))
      .meta({ description: 'The telecom gateways with routes at `/api/ussd/<name>`' }),
  })
  .meta({ description: 'What a simulated phone needs' })

const flowRecord = z.object({
  start: z.string().meta({ description: 'The first screen', example: 'preMenu' }),
  languages: z.array(z.object({ code: z.string(), name: z.string() })).meta({ description: 'The default first' }),
  keys: z
    .object({ back: z.string(), more: z.string(), previous: z.string() })
    .meta({ description: 'Keys of every screen', example: { back: '0', more: '98', previous: '99' } }),
  gateway: gatewayRecord,
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['menu', 'input', 'message', 'confirm', 'secret', 'choice', 'action']),
      text: texts.optional().meta({ description: 'Absent for an action, and if the flow computes it' }),
      back: z
        .union([z.enum(['previous', 'none']), z.object({ screen: z.string() })])
        .meta({ description: 'Where `0` leads' }),
      ends: z.boolean().meta({ description: 'Whether the session ends with it' }),
    }),
  ),
  edges: z
    .array(
      z.object({
        from: z.string(),
        to: z.string().meta({ description: 'A screen, or `exit` for the closing text' }),
        kind: z.enum(['option', 'answer', 'yes', 'no', 'result', 'failure']),
        key: z.string().optional().meta({ description: 'The number that the user types' }),
        label: texts.optional(),
      }),
    )
    .meta({ description: 'Ways from screen to screen, without `*`, which ends the session at every screen' }),
})

const count = (description: string) => z.int().meta({ description })

const counted = {
  entered: count('How often the screen was shown after another one, or first in a session'),
  continued: count('How often the user moved on to another screen'),
  endedByFlow: count('Sessions that the flow ended here'),
  endedByUser: count(
    'Sessions that the user ended here with `*`, by a new call, or by hanging up if the provider reports it',
  ),
  timedOut: count('Sessions without a further answer'),
  errors: count('Failed actions and requests; the session may have continued'),
}

const day = z.iso.date()

const countsRecord = z.object({
  from: day,
  to: day,
  screens: z
    .array(z.object({ screen: z.string(), ...counted }))
    .meta({ description: 'Sums of the days, for screens with any; also for screens that the flow no longer has' }),
  days: z.array(z.object({ day, ...counted })).meta({ description: 'Sums of the screens, for days with any' }),
})

const dayMs = 86_400_000

/** Days of a range without `from`. */
const usualDays = 7

export interface FlowRoutesDependencies {
  readonly flow: Flow
  readonly storage: Pick<UssdStorage, 'read'>
  readonly clock: Clock
  readonly gateway: z.output<typeof gatewayRecord>
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
