import { z } from '@hono/zod-openapi'
import { isoTime, type Logger, listErrors, page, type Route, route } from '@sibyl/plugin'
import type { JobKindInfo, JobSummary, OpenedJobs } from '@sibyl/storage'
import { jobErrors } from './job-errors.ts'
import { type JobKindRecord, type JobRecord, jobKindRecord, jobRecord, jobState } from './job-records.ts'

/** The jobs that the routes of the operator list and change. */
export type OperatorJobs = Pick<
  OpenedJobs,
  'kinds' | 'list' | 'countsByKind' | 'find' | 'retry' | 'retryMany' | 'hasten' | 'cancel'
>

const jobs = page({ name: 'jobs', item: jobRecord, key: z.tuple([z.number(), z.string()]), maxLimit: 200 })

const params = z.object({ id: z.string().max(100) })
const tags = ['Operator']

/** `GET /operator/jobs`, their kinds, and what the operator can do with one. */
export const jobRoutes = (store: OperatorJobs, log: Logger): Route[] => {
  const find = async (id: string): Promise<JobSummary> => {
    const job = await store.find(id)
    if (job === undefined) throw jobErrors.job_not_found()
    return job
  }
  const answer = async (id: string): Promise<JobRecord> => recordOf(await find(id), kindsOf(store))
  return [
    route.get(
      '/operator/jobs',
      {
        auth: 'operator',
        tags,
        summary: 'List durable jobs in one state',
        description:
          'Jobs of all processes, without their data. Waiting jobs are ordered by their time, others the latest first. Ended jobs are ' +
          'kept for `RETENTION_JOBS_DAYS`; `dead` ones, whose attempts all failed, for `RETENTION_FAILED_JOBS_DAYS`.',
        query: jobs.query.extend({
          state: jobState.default('waiting'),
          kind: z.string().max(200).optional().meta({ description: 'Only jobs of this kind' }),
        }),
        ok: { 200: { description: 'The jobs', schema: jobs.response } },
        errors: [listErrors.cursor_invalid],
      },
      async c => {
        const { state, kind, limit, cursor } = c.req.valid('query')
        const filters = { state, kind }
        const after = jobs.read(cursor, filters)
        const rows = await store.list({
          state,
          kind,
          after,
          limit: limit + 1,
        })
        const kinds = kindsOf(store)
        const itemOf = (job: JobSummary) => recordOf(job, kinds)
        return c.json(jobs.make(rows, { limit, filters, keyOf: ({ runAt, id }) => [runAt, id], itemOf }), 200)
      },
    ),
    route.get(
      '/operator/job-kinds',
      {
        auth: 'operator',
        tags,
        summary: 'List the kinds of durable jobs, with the number of jobs in each state',
        ok: { 200: { description: 'The kinds, by name', schema: z.object({ kinds: z.array(jobKindRecord) }) } },
      },
      async c => c.json({ kinds: await kindRecords(store) }, 200),
    ),
    route.get(
      '/operator/jobs/{id}',
      {
        auth: 'operator',
        tags,
        summary: 'Get a durable job',
        params,
        ok: { 200: { description: 'The job', schema: jobRecord } },
        errors: [jobErrors.job_not_found],
      },
      async c => c.json(await answer(c.req.valid('param').id), 200),
    ),
    route.post(
      '/operator/jobs/{id}/retry',
      {
        auth: 'operator',
        tags,
        summary: 'Run a failed job again now',
        description: 'Either a `dead` job, which gets all its attempts again, or one that waits after a failure.',
        params,
        ok: { 200: { description: 'The job', schema: jobRecord } },
        errors: [jobErrors.job_not_found, jobErrors.job_state_conflict],
      },
      async c => {
        const { id } = c.req.valid('param')
        const { kind } = await find(id)
        if (!(await store.retry(id)) && !(await store.hasten(id))) {
          const { state } = await find(id)
          throw jobErrors.job_state_conflict({ state, wanted: 'retried' })
        }
        log.info('the operator retried a job', { jobId: id, kind, by: c.get('actor').did })
        return c.json(await answer(id), 200)
      },
    ),
    route.post(
      '/operator/jobs/{id}/cancel',
      {
        auth: 'operator',
        tags,
        summary: 'Cancel a job that has not ended',
        description:
          'A waiting or `dead` job never runs; a running one is aborted. A schedule still creates later jobs.',
        params,
        ok: { 200: { description: 'The job', schema: jobRecord } },
        errors: [jobErrors.job_not_found, jobErrors.job_state_conflict],
      },
      async c => {
        const { id } = c.req.valid('param')
        const { kind } = await find(id)
        if (!(await store.cancel(id))) {
          const { state } = await find(id)
          throw jobErrors.job_state_conflict({ state, wanted: 'cancelled' })
        }
        log.info('the operator cancelled a job', { jobId: id, kind, by: c.get('actor').did })
        return c.json(await answer(id), 200)
      },
    ),
  ]
}

type Kinds = ReadonlyMap<string, JobKindInfo>

const kindsOf = (store: OperatorJobs): Kinds => new Map(store.kinds().map(kind => [kind.name, kind]))

const kindFacts = (kind: JobKindInfo | undefined) => ({ purpose: kind?.purpose, maxAttempts: kind?.maxAttempts })

const recordOf = (job: JobSummary, kinds: Kinds): JobRecord => ({
  id: job.id,
  kind: job.kind,
  ...kindFacts(kinds.get(job.kind)),
  state: job.state,
  dueAt: isoTime(job.runAt),
  createdAt: isoTime(job.createdAt),
  endedAt: job.endedAt === undefined ? undefined : isoTime(job.endedAt),
  attempts: job.attempt,
  error: job.lastError === undefined ? undefined : { code: job.lastErrorCode, text: job.lastError },
})

const kindRecords = async (store: OperatorJobs): Promise<JobKindRecord[]> => {
  const kinds = kindsOf(store)
  const counts = Map.groupBy(await store.countsByKind(), ({ kind }) => kind)
  const names = new Set([...kinds.keys(), ...counts.keys()])
  return [...names].toSorted().map(kind => {
    const record = { waiting: 0, running: 0, done: 0, dead: 0, cancelled: 0 }
    for (const { state, count } of counts.get(kind) ?? []) record[state] = count
    return { kind, ...kindFacts(kinds.get(kind)), ...record }
  })
}
