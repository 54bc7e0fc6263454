import {
  type Clock,
  isoTime,
  jsonTexts,
  type Logger,
  listErrors,
  type Route,
  route,
  streamTexts,
  unlessNone,
} from '@sibyl/plugin'
import { z } from 'zod'
import { recordOf } from './facts/fact.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'
import { memoryErrors } from './facts/memory-errors.ts'
import { factRecord } from './records/fact-record.ts'

export interface MemoryRoutesDependencies {
  readonly store: FactStore
  readonly log: Pick<Logger, 'info'>
  readonly clock: Clock
}

const page = z.object({
  facts: z.array(factRecord),
  next: z.string().optional().meta({ description: 'The `cursor` of the next page; missing on the last page' }),
})
const exported = z.object({ did: z.string(), exportedAt: z.iso.datetime(), facts: z.array(factRecord) })

const unavailable = [memoryErrors.memory_refused, memoryErrors.memory_unavailable]

/** Creates the routes by which users read and delete their own facts. */
export const memoryRoutes = ({ store, log, clock }: MemoryRoutesDependencies): Route[] => [
  route.get(
    '/memory',
    {
      auth: { ucan: 'memory/read' },
      summary: 'List what is remembered about you',
      query: z.object({
        q: z.string().trim().min(1).max(500).optional().meta({
          description: 'Words: the best matching facts, on one page. Without words: all facts, latest first',
          example: 'coffee',
        }),
        limit: z.coerce.number().int().min(1).max(100).default(50),
        cursor: z.string().min(1).max(1_000).optional().meta({ description: 'The `next` of the previous page' }),
      }),
      ok: { 200: { description: 'The facts', schema: page } },
      errors: [listErrors.cursor_invalid, ...unavailable],
    },
    async c => {
      const { q, limit, cursor } = c.req.valid('query')
      const { did } = c.get('actor')
      if (q !== undefined) {
        const found = await store.recall(did, q, limit, c.req.raw.signal)
        return c.json({ facts: found.map(({ fact }) => recordOf(fact)) }, 200)
      }
      const { facts, next } = await store.list(did, limit, cursor, c.req.raw.signal)
      return c.json({ facts: facts.map(recordOf), next }, 200)
    },
  ),
  route.get(
    '/memory/export',
    {
      auth: { ucan: 'memory/read' },
      summary: 'Export everything that is remembered about you as a file',
      ok: { 200: { description: 'All facts', schema: exported } },
      errors: unavailable,
    },
    async c => {
      const { did } = c.get('actor')
      const facts = (await unlessNone(allFacts(store, did), recordOf)) ?? []
      c.header('content-type', 'application/json')
      c.header('content-disposition', 'attachment; filename="memory.json"')
      c.header('cache-control', 'no-store')
      return c.body(streamTexts(jsonTexts({ did, exportedAt: isoTime(clock.now()), facts })), 200)
    },
  ),
  route.delete(
    '/memory/{id}',
    {
      auth: { ucan: 'memory/delete' },
      summary: 'Delete a fact permanently',
      params: z.object({ id: z.string().min(1).max(100) }),
      ok: { 204: { description: 'Forgotten' } },
      errors: [memoryErrors.fact_not_found, ...unavailable],
    },
    async c => {
      if (!(await store.forget(c.get('actor').did, c.req.valid('param').id, c.req.raw.signal)))
        throw memoryErrors.fact_not_found()
      log.info('a user deleted a fact')
      return c.body(null, 204)
    },
  ),
  route.delete(
    '/memory',
    {
      auth: { ucan: 'memory/delete' },
      summary: 'Delete everything that is remembered about you permanently',
      query: z.object({ confirm: z.string().max(20).optional().meta({ description: '`all`', example: 'all' }) }),
      ok: { 200: { description: 'Number of deleted facts', schema: z.object({ forgotten: z.int() }) } },
      errors: [memoryErrors.memory_confirmation_missing, ...unavailable],
    },
    async c => {
      if (c.req.valid('query').confirm !== 'all') throw memoryErrors.memory_confirmation_missing()
      const forgotten = await store.forgetAll(c.get('actor').did, c.req.raw.signal)
      log.info('a user deleted all facts', { facts: forgotten })
      return c.json({ forgotten }, 200)
    },
  ),
]
