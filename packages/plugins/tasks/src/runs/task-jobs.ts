import { every, type Host, type Places } from '@sibyl/plugin'
import { z } from 'zod'
import type { RunStore, RunStoreDependencies } from '../store/run-store.ts'
import { actorOf, type Task } from '../store/task.ts'
import type { SetAlarm } from '../store/task-store.ts'
import { type DeliverDependencies, deliverRun } from './deliver-run.ts'
import { type ForgetDependencies, forgetRuns } from './old-runs.ts'
import { type PerformDependencies, performRun, RunPostponed } from './perform-run.ts'
import type { Sweep } from './sweep-tasks.ts'
import { wordRun } from './word-run.ts'

const runKind = 'tasks/run'

/** Maximum number of concurrent runs of tasks in a process. */
const runsAtOnce = 16

/**
 * Time that a run may take besides the agent's work, for a running turn in its session and for notices, in
 * milliseconds.
 */
const besideMs = 1_200_000

const runData = z.object({ task: z.string(), due: z.number() })

/** Creates alarms and retries as durable jobs. */
export const taskAlarms = (
  jobs: Host['jobs'],
): { readonly setAlarm: SetAlarm; readonly setRetry: RunStoreDependencies['setRetry'] } => ({
  setAlarm: (tx, { task, due }) =>
    jobs.enqueue(runKind, { task, due }, { runAt: due, dedupeKey: `${task}@${due}`, tx }),
  setRetry: (tx, { task, due, at, attempt }) =>
    jobs.enqueue(runKind, { task, due }, { runAt: at, dedupeKey: `${task}@${due}/${attempt}`, tx }),
})

export interface TaskJobsDependencies extends PerformDependencies, DeliverDependencies, ForgetDependencies {
  readonly jobs: Host['jobs']
  readonly limits: Pick<Host['limits'], 'places'>
  readonly runs: RunStore
  readonly sweep: Sweep
}

/** Defines the jobs of runs, and the hourly maintenance. */
export const defineTaskJobs = async (parts: TaskJobsDependencies): Promise<void> => {
  const { jobs, runs, sweep, timeLimitMs } = parts
  const places = parts.limits.places({ capacity: runsAtOnce })
  jobs.define(
    runKind,
    runData,
    async ({ task: id, due }, call) => {
      const task = await runs.task(id)
      const begun = task && (await runs.begin(task, due))
      if (!begun) return
      if (begun.endedAt !== undefined) return deliverRun(parts, task, begun)
      const { run, result } = await within(places, task, () => performRun(parts, task, begun, call))
      const ended = await runs.finish(task, run, result, wordRun)
      if (ended) await deliverRun(parts, task, ended)
      if (task.schedule.kind === 'cron') await forgetRuns(parts, await parts.oldRuns.tooMany(id))
    },
    {
      concurrency: runsAtOnce,
      maxAttempts: 20,
      backOffMs: 5_000,
      maxBackOffMs: 600_000,
      timeLimitMs: timeLimitMs + besideMs,
    },
  )
  await every(jobs, { kind: 'tasks/sweep', interval: '1h', run: sweep })
}

/**
 * Performs a run within its address's share, so that the tasks of one address leave capacity for others.
 *
 * @throws RunPostponed while the share is used up
 */
const within = async <Result>(places: Places, task: Task, work: () => Promise<Result>): Promise<Result> => {
  const place = places.take(actorOf(task))
  if (!('full' in place)) return work().finally(() => place.release())
  if (place.full === 'origin') throw new RunPostponed('address_share_used')
  return work()
}
