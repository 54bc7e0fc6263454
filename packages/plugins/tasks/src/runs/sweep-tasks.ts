import type { Host } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import { keptMs, type Task } from '../store/task.ts'
import { runOf, taskOf } from '../store/task-rows.ts'
import type { SetAlarm } from '../store/task-store.ts'
import { rowByRow, type TasksStorage } from '../store/task-tables.ts'
import { nextTime } from '../when/schedule.ts'
import { type ForgetDependencies, forgetRuns } from './old-runs.ts'

export type Sweep = ReturnType<typeof sweepTasks>

export interface SweepDependencies extends ForgetDependencies {
  readonly storage: TasksStorage
  readonly setAlarm: SetAlarm
  readonly now: () => number
  readonly log: Host['log']
}

/** Number of rows that are read at a time. */
const atOnce = 500
/** Time that an alarm may be overdue before it is set again, in milliseconds. */
const overdueMs = 300_000
/** Time that a run may be in progress before its alarm is set again, in milliseconds. */
const silentMs = 7_200_000
/** Tolerated difference from another clock, in milliseconds. */
const clockMs = 120_000

/**
 * Repairs the effects of lost jobs and wrong clocks: sets the alarms of overdue tasks and of stalled runs, replans
 * tasks that were planned at a time in the future, and deletes what is past its retention.
 */
export const sweepTasks = (parts: SweepDependencies) => async (): Promise<void> => {
  const { storage, setAlarm, oldRuns, now } = parts
  const at = now()
  const ahead = await storage.read
    .selectFrom('tasks_tasks')
    .selectAll()
    .where('state', '=', 'active')
    .where('planned_at', '>', at + clockMs)
    .limit(atOnce)
    .execute()
  for (const row of ahead) await planAgain(parts, taskOf(row), at)
  const overdue = await storage.read
    .selectFrom('tasks_tasks')
    .select(['id', 'next_at'])
    .where('state', '=', 'active')
    .where('next_at', '<', at - overdueMs)
    .limit(atOnce)
    .execute()
  const silent = await storage.read
    .selectFrom('tasks_runs')
    .selectAll()
    .where('told', '=', 0)
    .where('started_at', '<', at - silentMs)
    .limit(atOnce)
    .execute()
  const alarms = [
    ...overdue.map(({ id, next_at }) => ({ task: id, due: Number(next_at) })),
    ...silent.map(runOf).map(({ task, dueAt }) => ({ task, due: dueAt })),
  ]
  if (alarms.length > 0) {
    await storage.write(async tx => {
      for (const alarm of alarms) await setAlarm(tx, alarm)
    }, rowByRow)
  }
  for (;;) {
    const old = await oldRuns.tooOld(at - keptMs, atOnce)
    if (old.length === 0) break
    await forgetRuns(parts, old)
  }
  await deleteInParts(storage, { table: 'tasks_tasks', key: ['id'], where: eb => eb('ended_at', '<', at - keptMs) })
}

/** Replans a task that was planned by a clock that was ahead, from the current time. */
const planAgain = async ({ storage, setAlarm, log }: SweepDependencies, task: Task, at: number): Promise<void> => {
  const next = (await nextTime(task, at)) ?? task.nextAt
  if (next === undefined) return
  await storage.write(async tx => {
    const planned = await tx
      .updateTable('tasks_tasks')
      .set({ next_at: next, planned_at: at })
      .where(eb => eb.and({ id: task.id, state: 'active', next_at: task.nextAt ?? null }))
      .returning('id')
      .executeTakeFirst()
    if (planned) await setAlarm(tx, { task: task.id, due: next })
  }, rowByRow)
  log.info('a task was replanned, because the clock had been ahead', { task: task.id })
}
