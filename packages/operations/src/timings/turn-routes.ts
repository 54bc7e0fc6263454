import { z } from '@hono/zod-openapi'
import { type CorePorts, type CoreTables, personParams } from '@sibyl/core/ports'
import { defineErrors, listErrors, page, type Route, route } from '@sibyl/plugin'
import { identifier } from '@sibyl/protocol'
import { listTraces } from './list-traces.ts'
import { summarizeTurns } from './summarize-turns.ts'
import { timingsOfSession } from './timings-of-session.ts'
import { trace, traceResult, turnTiming } from './turn-timing.ts'
import { keepDays, turnsSummaryRecord } from './turns-summary.ts'

const turnErrors = defineErrors({
  session_not_found: { status: 404, message: 'You have no session with that id.' },
  time_range_invalid: { status: 400, message: '`from` must be before `to`, and at most 400 days apart.' },
})

const turnsPage = page({
  name: 'turns',
  item: turnTiming,
  key: z.tuple([z.number(), z.string()]),
  limit: 20,
  maxLimit: 100,
})

const dayMs = 86_400_000
/** The longest time of a summary, in milliseconds. */
const longestMs = 400 * dayMs

const traces = page({ name: 'traces', item: trace, key: z.tuple([z.number(), z.string()]), limit: 20, maxLimit: 100 })

const millisecondsOf = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso))

const time = z.iso.datetime({ offset: true }).optional()
const model = z.string().min(1).max(500).optional().meta({ description: 'Only turns of this model' })
const channel = z.string().min(1).max(100).optional().meta({ description: 'Only turns of this channel' })

/** `GET /sessions/:id/turns` for the owner, `GET /operator/turns` and `GET /operator/traces` for the operator. */
export const turnRoutes = (
  { sessions, storage, env: { TRACES_KEEP_DAYS: timingDays } }: CorePorts,
  now: () => number,
): Route[] => {
  const database = storage.for<CoreTables>()
  return [
    route.get(
      '/sessions/{id}/turns',
      {
        auth: { ucan: 'session/read' },
        tags: ['Sessions'],
        summary: 'List the timings of the turns of a session, the latest first',
        description:
          'Each turn with the time of its parts: the wait for the model, each step, each tool call, and the wait for an ' +
          'approval. `TRACES_KEEP_DAYS` sets how long they are stored.',
        params: z.object({ id: identifier }),
        query: turnsPage.query,
        ok: { 200: { description: 'The turns that have ended', schema: turnsPage.response.extend({ keepDays }) } },
        errors: [turnErrors.session_not_found, listErrors.cursor_invalid],
      },
      async c => {
        const owner = c.get('actor').did
        const { id } = c.req.valid('param')
        const { limit, cursor } = c.req.valid('query')
        const filters = { session: id }
        const behind = turnsPage.read(cursor, filters)
        if (!(await sessions.find(owner, id))) throw turnErrors.session_not_found()
        const rows = await timingsOfSession(database, owner, id, { limit: limit + 1, behind })
        const list = turnsPage.make(rows, {
          limit,
          filters,
          keyOf: ({ key }) => [...key],
          itemOf: ({ timing }) => timing,
        })
        return c.json({ ...list, keepDays: timingDays }, 200)
      },
    ),
    route.get(
      '/operator/traces',
      {
        auth: 'operator',
        tags: ['Operator'],
        summary: 'List the turns of all users with their timings, the latest first',
        description:
          'Without texts. Conversations are named only in your own turns. With `tool` or `tool-error`, a page can have fewer turns ' +
          'than `limit` and a `next`. `TRACES_KEEP_DAYS` sets how long they are stored.',
        query: traces.query.extend({
          from: time.meta({ description: 'Only turns that started at this time or later' }),
          to: time.meta({ description: 'Only turns that started before this time' }),
          turn: identifier.optional().meta({ description: 'Only the turn with this ID' }),
          person: personParams.shape.person.optional(),
          channel,
          model,
          tool: z.string().min(1).max(200).optional().meta({ description: 'Only turns that called this tool' }),
          result: traceResult.optional(),
          code: z.string().min(1).max(200).optional().meta({ description: 'Only turns that ended with this error' }),
          minCost: z.coerce
            .number()
            .min(0)
            .max(1e9)
            .optional()
            .meta({ description: 'Only turns of this cost or more' }),
        }),
        ok: { 200: { description: 'The turns that have ended', schema: traces.response.extend({ keepDays }) } },
        errors: [listErrors.cursor_invalid],
      },
      async c => {
        const { limit, cursor, ...filters } = c.req.valid('query')
        const { from, to } = filters
        const { did } = c.get('actor')
        const found = await listTraces(
          database,
          { ...filters, from: millisecondsOf(from), to: millisecondsOf(to) },
          { limit, behind: traces.read(cursor, filters) },
        )
        const records = found.traces.map(({ timing, owner, sessionId }) => ({
          ...timing,
          did: owner,
          ...(owner === did && { sessionId }),
        }))
        const next = found.next === undefined ? {} : { next: traces.cursor([...found.next], filters) }
        return c.json({ traces: records, ...next, keepDays: timingDays }, 200)
      },
    ),
    route.get(
      '/operator/turns',
      {
        auth: 'operator',
        tags: ['Operator'],
        summary: 'Count turns, errors, latencies, tokens and cost over time',
        description:
          'By time bucket, error, model, channel and tool, between `from` and `to`; by default the last 24 hours. It covers ' +
          'turns of the last `TRACES_KEEP_DAYS` days.',
        query: z.object({
          from: time.meta({ description: 'By default 24 hours before `to`' }),
          to: time.meta({ description: 'By default now' }),
          bucketSeconds: z.coerce.number().int().min(1).max(31_536_000).optional().meta({
            description: 'The length of a bucket; a summary has at most 500, so short ones become longer',
            example: 3600,
          }),
          model,
          channel,
        }),
        ok: { 200: { description: 'The summary', schema: turnsSummaryRecord } },
        errors: [turnErrors.time_range_invalid, { code: 'operator_token_needed', status: 401 }],
      },
      async c => {
        const { from: first, to: last, ...filters } = c.req.valid('query')
        const to = last === undefined ? now() : Date.parse(last)
        const from = first === undefined ? to - dayMs : Date.parse(first)
        if (from >= to || to - from > longestMs) throw turnErrors.time_range_invalid()
        const summary = await summarizeTurns(database, { from, to, ...filters })
        return c.json({ ...summary, keepDays: timingDays }, 200)
      },
    ),
  ]
}
