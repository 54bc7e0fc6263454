import { type Selectable, toJson } from '@sibyl/plugin/storage'
import type { TaskState } from '../records/task-records.ts'
import { nextTime } from '../when/schedule.ts'
import type { Delivery, Task, TaskRun } from './task.ts'
import { insertRun, isUnderWay, runOf, taskOf } from './task-rows.ts'
import type { SetAlarm } from './task-store.ts'
import { rowByRow, type TasksStorage, type TasksTables, type TasksTransaction } from './task-tables.ts'

/** Delay after the due time from which a run is late, in milliseconds. */
const lateAfterMs = 600_000

/** Number of consecutive failures after which a task is stopped. */
const maxFailures = 5

/** Pauses of a one-time task after each failure, in milliseconds. */
const retryPausesMs = [60_000, 300_000, 1_500_000] as const

/** Maximum number of attempts of a run whose turn was interrupted. */
const maxAttempts = 4

export interface RunStoreDependencies {
  readonly storage: TasksStorage
  readonly setAlarm: SetAlarm
  /** Schedules a retry of a run. */
  readonly setRetry: (
    tx: Parameters<SetAlarm>[0],
    retry: { readonly task: string; readonly due: number; readonly at: number; readonly attempt: number },
  ) => Promise<unknown>
  /** Reports a run to the user in the session of its task; returns false if a turn is running there. */
  readonly say: (tx: TasksTransaction, task: Task, run: TaskRun) => Promise<boolean>
  readonly now: () => number
  readonly missedRun: 'run-once' | 'skip'
}

export type RunResult =
  | { readonly state: 'done'; readonly text: string }
  | { readonly state: 'stopped' }
  /** `isFinal`: a retry would be harmful or useless. `stopsTask`: so would every later run. */
  | { readonly state: 'failed'; readonly code: string; readonly isFinal: boolean; readonly stopsTask?: boolean }

/** Creates the message about a completed run; undefined otherwise. */
export type WordRun = (task: Task, run: TaskRun, result: RunResult, isStopped: boolean) => string | undefined

export const createRunStore = ({ storage, setAlarm, now, missedRun, setRetry, say }: RunStoreDependencies) => ({
  /** Returns a task of any owner. */
  async task(id: string): Promise<Task | undefined> {
    const row = await storage.read.selectFrom('tasks_tasks').selectAll().where('id', '=', id).executeTakeFirst()
    return row && taskOf(row)
  },
  /**
   * Begins the run of a due time and schedules the next one, once; or returns the earlier run that is not completed.
   *
   * @returns undefined if there is nothing to do: the task is paused or over, the time was skipped, or the user was
   * already notified
   */
  async begin(task: Task, due: number): Promise<TaskRun | undefined> {
    const at = now()
    const next = task.nextAt === due ? await nextTime(task, Math.max(due, at)) : undefined
    return await storage.write(async tx => {
      const mine = await tx
        .updateTable('tasks_tasks')
        .set({ next_at: next ?? null, planned_at: at })
        .where(eb => eb.and({ id: task.id, state: 'active', next_at: due }))
        .returning('id')
        .executeTakeFirst()
      if (!mine) return resume(tx, task.id, due)
      const late = at - due > lateAfterMs
      const isBusy = next !== undefined && (await isUnderWay(tx, task.id))
      const isMissed = isBusy || (late && missedRun === 'skip')
      const run = await insertRun(tx, task, due, {
        ...(isMissed ? { state: 'missed', code: isBusy ? 'still_running' : 'not_running' } : { state: 'running' }),
        late,
        manual: false,
        now: at,
      })
      if (next !== undefined) await setAlarm(tx, { task: task.id, due: next })
      else if (isMissed) await endTask(tx, task.id, { state: 'done', at })
      return isMissed ? undefined : run
    }, rowByRow)
  },
  /** Returns the current state of a task; undefined if it was erased. */
  async stateOf(id: string): Promise<TaskState | undefined> {
    const row = await storage.read.selectFrom('tasks_tasks').select('state').where('id', '=', id).executeTakeFirst()
    return row?.state
  },
  /**
   * Begins another attempt of a run whose turn was interrupted before it did anything; undefined after too many
   * attempts.
   */
  async again(run: TaskRun): Promise<TaskRun | undefined> {
    if (run.attempt >= maxAttempts) return undefined
    const row = await storage.write(
      tx =>
        tx
          .updateTable('tasks_runs')
          .set({ attempt: run.attempt + 1 })
          .where(eb => eb.and({ id: run.id, state: 'running', attempt: run.attempt }))
          .returningAll()
          .executeTakeFirst(),
      rowByRow,
    )
    return row && runOf(row)
  },
  /**
   * Stores the result of a run and its consequences for the task, and reports it in the session if no turn is running
   * there. Returns undefined if the run will be retried, or was stored before.
   */
  async finish(task: Task, run: TaskRun, result: RunResult, word: WordRun): Promise<TaskRun | undefined> {
    const at = now()
    return await storage.write(async tx => {
      const row = await tx
        .updateTable('tasks_tasks')
        .set({ id: task.id })
        .where('id', '=', task.id)
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      const current = taskOf(row)
      const isOnce = task.schedule.kind === 'once'
      const isWanted = current.state !== 'cancelled'
      const pause = retryPausesMs[run.attempt - 1]
      if (result.state === 'failed' && isWanted && isOnce && !run.manual && !result.isFinal && pause !== undefined) {
        const waits = await setRun(tx, run, { state: 'waiting', attempt: run.attempt + 1, code: result.code })
        if (waits) await setRetry(tx, { task: task.id, due: run.dueAt, at: at + pause, attempt: run.attempt + 1 })
        return undefined
      }
      const failures = result.state === 'failed' ? current.failures + 1 : 0
      const hasEnded = result.state === 'failed' && result.stopsTask === true
      const stops = hasEnded || (!run.manual && result.state !== 'done' && (isOnce || failures >= maxFailures))
      const message = isWanted ? word(current, run, result, stops) : undefined
      const ended = await setRun(tx, run, {
        state: result.state,
        text: result.state === 'done' ? result.text : '',
        code: result.state === 'failed' ? result.code : null,
        message: message ?? null,
        ended_at: at,
        told: message === undefined || task.deliver.length === 0 ? 1 : 0,
      })
      if (!ended) return undefined
      const isUnsaid = message !== undefined && !(await say(tx, current, ended))
      if (isUnsaid) await tx.updateTable('tasks_runs').set({ told: 0 }).where('id', '=', run.id).execute()
      const after = { ...ended, told: ended.told && !isUnsaid }
      if (!isWanted || (run.manual && !hasEnded)) return after
      if (stops) await endTask(tx, task.id, { state: 'stopped', at, reason: codeOf(result) })
      else if (isOnce) await endTask(tx, task.id, { state: 'done', at })
      else if (failures !== current.failures)
        await tx.updateTable('tasks_tasks').set({ failures }).where('id', '=', task.id).execute()
      return after
    }, rowByRow)
  },
  /** Marks the user as notified. */
  async told(run: TaskRun, deliveries: readonly Delivery[]): Promise<void> {
    await storage.write(
      tx =>
        tx
          .updateTable('tasks_runs')
          .set({ told: 1, deliveries: toJson(deliveries) })
          .where('id', '=', run.id)
          .execute(),
      rowByRow,
    )
  },
})

/** Stores runs from their due time to their report; each call is one transaction. */
export type RunStore = ReturnType<typeof createRunStore>

const codeOf = (result: RunResult): string => (result.state === 'failed' ? result.code : 'turn_stopped')

type RunChange = Partial<
  Pick<Selectable<TasksTables['tasks_runs']>, 'state' | 'attempt' | 'text' | 'code' | 'message' | 'ended_at' | 'told'>
>

/** Changes a run in progress; undefined if it was completed. */
const setRun = async (tx: TasksTransaction, run: TaskRun, change: RunChange): Promise<TaskRun | undefined> => {
  const row = await tx
    .updateTable('tasks_runs')
    .set(change)
    .where(eb => eb.and({ id: run.id, state: 'running', attempt: run.attempt }))
    .returningAll()
    .executeTakeFirst()
  return row && runOf(row)
}

/** Returns a run that began before, if it is in progress or its user is not yet notified. */
const resume = async (tx: TasksTransaction, task: string, due: number): Promise<TaskRun | undefined> => {
  await tx
    .updateTable('tasks_runs')
    .set({ state: 'running' })
    .where(eb => eb.and({ task, due_at: due, state: 'waiting' }))
    .execute()
  const row = await tx
    .selectFrom('tasks_runs')
    .selectAll()
    .where(eb => eb.and({ task, due_at: due, told: 0 }))
    .executeTakeFirst()
  return row && runOf(row)
}

const endTask = async (
  tx: TasksTransaction,
  id: string,
  { state, at, reason }: { readonly state: 'done' | 'stopped'; readonly at: number; readonly reason?: string },
): Promise<void> => {
  await tx
    .updateTable('tasks_tasks')
    .set({ state, next_at: null, stop_reason: reason ?? null, ended_at: state === 'done' ? at : null })
    .where('id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .execute()
}
