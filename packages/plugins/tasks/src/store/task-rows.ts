import type { Selectable } from '@sibyl/plugin/storage'
import { toJson } from '@sibyl/plugin/storage'
import { maxEnded, runIdOf, type Task, type TaskRun } from './task.ts'
import type { TasksTables, TasksTransaction } from './task-tables.ts'

export const taskOf = (row: Selectable<TasksTables['tasks_tasks']>): Task => ({
  id: row.id,
  owner: row.owner,
  what: row.what,
  context: row.context,
  remind: row.remind === 1,
  schedule: row.schedule,
  timeZone: row.time_zone,
  session: row.session ?? `task-${row.id}`,
  deliver: row.deliver,
  scopes: scopesOf(row),
  maker: row.maker ?? {},
  state: row.state,
  nextAt: row.next_at ?? undefined,
  failures: row.failures,
  stopReason: row.stop_reason ?? undefined,
  createdAt: row.created_at,
})

/**
 * Returns the scopes of a task. Rows without a maker are of an earlier version, which put `chat/send` before the scopes
 * of the maker. If the task was created in a conversation, the maker had it.
 */
const scopesOf = ({ scopes, maker, session }: Selectable<TasksTables['tasks_tasks']>): readonly string[] =>
  maker === null && session === null ? scopes.slice(1) : scopes

export const runOf = (row: Selectable<TasksTables['tasks_runs']>): TaskRun => ({
  id: row.id,
  task: row.task,
  dueAt: row.due_at,
  state: row.state,
  late: row.late === 1,
  manual: row.manual === 1,
  attempt: row.attempt,
  text: row.text,
  code: row.code ?? undefined,
  message: row.message ?? undefined,
  deliveries: row.deliveries,
  startedAt: row.started_at,
  endedAt: row.ended_at ?? undefined,
  told: row.told === 1,
})

/** Ends the run of a task that waits for a retry. */
export const stopWaiting = async (tx: TasksTransaction, task: string, at: number): Promise<void> => {
  await tx
    .updateTable('tasks_runs')
    .set({ state: 'stopped', ended_at: at, told: 1 })
    .where(eb => eb.and({ task, state: 'waiting' }))
    .execute()
}

/** Returns whether a run of a task has begun and not ended. */
export const isUnderWay = async (tx: TasksTransaction, task: string): Promise<boolean> => {
  const open = tx
    .selectFrom('tasks_runs')
    .select('id')
    .where('task', '=', task)
    .where('state', 'in', ['running', 'waiting'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** Inserts the one run of a task at a due time; undefined if it exists. */
export const insertRun = async (
  tx: TasksTransaction,
  task: Pick<Task, 'id' | 'owner'>,
  dueAt: number,
  run: {
    /** @default that of its task and time */
    readonly id?: string | undefined
    readonly state: 'running' | 'missed'
    readonly late: boolean
    readonly manual: boolean
    readonly code?: string
    readonly now: number
  },
): Promise<TaskRun | undefined> => {
  const isOver = run.state === 'missed'
  const row = await tx
    .insertInto('tasks_runs')
    .values({
      id: run.id ?? runIdOf(task.id, dueAt),
      task: task.id,
      owner: task.owner,
      due_at: dueAt,
      state: run.state,
      late: run.late ? 1 : 0,
      manual: run.manual ? 1 : 0,
      attempt: 1,
      text: '',
      code: run.code ?? null,
      message: null,
      deliveries: toJson([]),
      started_at: run.now,
      ended_at: isOver ? run.now : null,
      told: isOver ? 1 : 0,
    })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && runOf(row)
}

/** End time of a task that the next cleanup deletes. */
export const forgotten = 0

/** Marks a user's oldest ended tasks for deletion if there are too many. */
export const forgetEnded = async (tx: TasksTransaction, owner: string): Promise<void> => {
  const old = await tx
    .selectFrom('tasks_tasks')
    .select('id')
    .where('owner', '=', owner)
    .where('ended_at', '>', forgotten)
    .orderBy('ended_at', 'desc')
    .limit(1_000)
    .offset(maxEnded)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await tx.updateTable('tasks_tasks').set({ ended_at: forgotten }).where('id', 'in', ids).execute()
}
