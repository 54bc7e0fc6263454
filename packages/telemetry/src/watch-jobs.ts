import type { Logger } from '@sibyl/plugin'
import type { Jobs } from '@sibyl/storage'
import type { Telemetry } from './telemetry.ts'

/**
 * Durable jobs that remember the request that caused them: log lines of a job, the plugin's own among them, name the
 * job and that request, also after a restart and in another process.
 */
export const watchJobs = (jobs: Jobs, { work, metrics }: Telemetry, log: Logger): Jobs => {
  const requestIdNow = (): { readonly requestId?: string } => {
    const requestId = work.current?.fields.requestId
    return typeof requestId === 'string' ? { requestId } : {}
  }
  return {
    define(kind, schema, run, options) {
      jobs.define(
        kind,
        schema,
        (data, call) => {
          const { jobId, requestId } = call
          const fields = { requestId, job: kind, jobId }
          return work.run({ fields }, async () => {
            const startedAt = performance.now()
            let result: 'done' | 'failed' = 'failed'
            try {
              await run(data, call)
              result = 'done'
            } finally {
              metrics.jobEnded(kind, result)
              log.debug('a job was run', { result, durationMs: Math.round(performance.now() - startedAt) })
            }
          })
        },
        options,
      )
    },
    enqueue: (kind, data, options) => jobs.enqueue(kind, data, { ...requestIdNow(), ...options }),
    hold: (kind, data, options) => jobs.hold(kind, data, { ...requestIdNow(), ...options }),
    schedule: (key, cron, timeZone, kind, data) => jobs.schedule(key, cron, timeZone, kind, data),
    unschedule: key => jobs.unschedule(key),
    cancel: id => jobs.cancel(id),
    get: id => jobs.get(id),
    dead: options => jobs.dead(options),
    counts: () => jobs.counts(),
    retry: id => jobs.retry(id),
    unknownKinds: () => jobs.unknownKinds(),
    start: () => jobs.start(),
    stop: options => jobs.stop(options),
  }
}
