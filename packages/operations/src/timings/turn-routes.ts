import { z } from '@hono/zod-openapi'
import { type CorePorts, type CoreTables, personParams } from '@sibyl/core/ports'
import { defineErrors, listErrors, page, type Route, route } from '@sibyl/plugin'
import { identifier } from '@sibyl/protocol'
import { summarizeTurns } from './summarize-turns.ts'
import { latestTurnsOf, timingsOfSession } from './timings-of-session.ts'
import { personTurn, turnTiming } from './turn-timing.ts'
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

/** Turns of a list of one person. */
const maxPersonTurns = 20

/** `GET /sessions/:id/turns` for the owner, `GET /operator/turns` and the turns of a person for the operator. */
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
      '/operator/people/{person}/turns',
      {
        auth: 'operator',
        tags: ['Operator'],
        summary: 'List the latest turns of a person on every channel',
        description:
          `The latest ${maxPersonTurns}, of as many conversations, without texts. Conversations are named only in the list of your own ` +
          'turns. `TRACES_KEEP_DAYS` sets how long they are stored.',
        params: personParams,
        ok: {
          200: {
            description: 'The turns that have ended, the latest first',
            schema: z.object({ turns: z.array(personTurn), keepDays }),
          },
        },
      },
      async c => {
        const { person } = c.req.valid('param')
        const isOwn = c.get('actor').did === person
        const turns = await latestTurnsOf(database, person, maxPersonTurns)
        const records = turns.map(({ sessionId, timing: { spans, omittedSpans: _, ...turn } }) => ({
          ...turn,
          ...(isOwn && { sessionId }),
          tools: [...new Set(spans.flatMap(({ kind, name }) => (kind === 'tool' && name !== undefined ? [name] : [])))],
        }))
        return c.json({ turns: records, keepDays: timingDays }, 200)
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
          from: z.iso.datetime({ offset: true }).optional().meta({ description: 'By default 24 hours before `to`' }),
          to: z.iso.datetime({ offset: true }).optional().meta({ description: 'By default now' }),
          bucketSeconds: z.coerce.number().int().min(1).max(31_536_000).optional().meta({
            description: 'The length of a bucket; a summary has at most 500, so short ones become longer',
            example: 3600,
          }),
          model: z.string().min(1).max(500).optional().meta({ description: 'Only turns of this model' }),
          channel: z.string().min(1).max(100).optional().meta({ description: 'Only turns of this channel' }),
        }),
        ok: { 200: { description: 'The summary', schema: turnsSummaryRecord } },
        errors: [turnErrors.time_range_invalid, { code: 'operator_token_needed', status: 401 }],
      },
      async c => {
        const { from: first, to: last, bucketSeconds, model, channel } = c.req.valid('query')
        const to = last === undefined ? now() : Date.parse(last)
        const from = first === undefined ? to - dayMs : Date.parse(first)
        if (from >= to || to - from > longestMs) throw turnErrors.time_range_invalid()
        const summary = await summarizeTurns(database, { from, to, bucketSeconds, model, channel })
        return c.json({ ...summary, keepDays: timingDays }, 200)
      },
    ),
  ]
}
