import { z } from '@hono/zod-openapi'
import { isoTime, type Logger, type PluginOutbox, type Route, route } from '@sibyl/plugin'
import type { JobCount } from '@sibyl/storage'
import { jobErrors } from './job-errors.ts'
import { type OutboxRecord, outboxRecord } from './job-records.ts'
import type { OperatorJobs } from './job-routes.ts'

/** Dead letters of one call of the retry route. */
const maxRetried = 10_000
const batchSize = 200

const tags = ['Operator']

export interface OutboxRouteParts {
  readonly jobs: OperatorJobs
  /** Outboxes of plugins that are not on durable jobs. */
  readonly outboxes: () => readonly PluginOutbox[]
  readonly log: Logger
}

/** `GET /operator/outboxes`, and the retry of their dead letters. */
export const outboxRoutes = ({ jobs, outboxes, log }: OutboxRouteParts): Route[] => [
  route.get(
    '/operator/outboxes',
    {
      auth: 'operator',
      tags,
      summary: 'List the outboxes of all plugins, with pending deliveries and dead letters',
      description:
        'An outbox delivers messages to other services, at least once: notifications, webhooks, SMS. Most have a durable job ' +
        'of the kind `name` for each delivery, which `GET /operator/jobs?kind=` lists, and then a number in `retrying`. Messages are not shown.',
      ok: { 200: { description: 'The outboxes, by name', schema: z.object({ outboxes: z.array(outboxRecord) }) } },
    },
    async c => c.json({ outboxes: await allOutboxes(jobs, outboxes()) }, 200),
  ),
  route.post(
    '/operator/outboxes/retry',
    {
      auth: 'operator',
      tags,
      summary: 'Retry the dead letters of an outbox',
      description: `Each gets all its attempts again. At most ${maxRetried.toLocaleString('en')} of one call; repeat it while \`more\` is true.`,
      body: z.strictObject({ name: z.string().max(200) }),
      ok: {
        200: {
          description: 'The number of dead letters that are retried',
          schema: z.object({ retried: z.int(), more: z.boolean() }),
        },
      },
      errors: [jobErrors.outbox_not_found],
    },
    async c => {
      const { name } = c.req.valid('json')
      const ofPlugin = outboxes().find(one => one.name === name)
      if (!ofPlugin && !jobs.kinds().some(kind => kind.purpose === 'outbox' && kind.name === name)) {
        throw jobErrors.outbox_not_found()
      }
      const result = await retryInBatches(async limit => {
        if (ofPlugin) return { revived: await ofPlugin.retry(limit), cancelled: 0 }
        return jobs.retryMany(name, limit)
      })
      log.info('the operator retried the dead letters of an outbox', { ...result, kind: name, by: c.get('actor').did })
      return c.json(result, 200)
    },
  ),
]

const allOutboxes = async (jobs: OperatorJobs, ofPlugins: readonly PluginOutbox[]): Promise<OutboxRecord[]> => {
  const counts = Map.groupBy(await jobs.countsByKind(), ({ kind }) => kind)
  const onJobs = jobs
    .kinds()
    .filter(({ purpose }) => purpose === 'outbox')
    .map(({ name }) => recordOf(name, counts.get(name) ?? []))
  const others = await Promise.all(
    ofPlugins.map(async (one): Promise<OutboxRecord> => {
      const { firstDueAt, ...counts } = await one.counts()
      const firstDue = firstDueAt === undefined ? {} : { firstDueAt: isoTime(firstDueAt) }
      return { name: one.name, ...counts, ...firstDue, ofPlugin: true }
    }),
  )
  return [...onJobs, ...others].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const recordOf = (name: string, counts: readonly JobCount[]): OutboxRecord => {
  const pending = counts.filter(({ state }) => state === 'waiting' || state === 'running')
  const sum = (of: readonly JobCount[], member: 'count' | 'failing') =>
    of.reduce((total, count) => total + count[member], 0)
  return {
    name,
    pending: sum(pending, 'count'),
    retrying: sum(pending, 'failing'),
    dead: sum(
      counts.filter(({ state }) => state === 'dead'),
      'count',
    ),
    ...(pending.length === 0 ? {} : { firstDueAt: isoTime(Math.min(...pending.map(({ firstAt }) => firstAt))) }),
  }
}

/** Retries dead letters in short writes; those whose key a newer job delivers are cancelled. */
const retryInBatches = async (
  retryMany: (limit: number) => Promise<{ readonly revived: number; readonly cancelled: number }>,
): Promise<{ retried: number; more: boolean }> => {
  let retried = 0
  for (let done = 0; done < maxRetried; ) {
    const { revived, cancelled } = await retryMany(batchSize)
    retried += revived
    done += revived + cancelled
    if (revived + cancelled < batchSize) return { retried, more: false }
  }
  return { retried, more: true }
}
