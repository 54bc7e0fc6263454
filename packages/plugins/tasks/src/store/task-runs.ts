import { toJson } from '@sibyl/plugin/storage'
import { runIdOf, type Task, type TaskRun } from './task.ts'
import { runOf } from './task-rows.ts'
import type { TasksTransaction } from './task-tables.ts'

/** Ends the run of a task that was to be tried again. */
export const stopWaiting = async (tx: TasksTransaction, task: string, at: number): Promise<void> => {
  await tx
    .updateTable('tasks_runs')
    .set({ state: 'stopped', ended_at: at, told: 1 })
    .where('task', '=', task)
    .where('state', '=', 'waiting')
    .execute()
}

/** Whether a run of a task has begun and not ended. */
export const isUnderWay = async (tx: TasksTransaction, task: string): Promise<boolean> => {
  const open = tx
    .selectFrom('tasks_runs')
    .select('id')
    .where('task', '=', task)
    .where('state', 'in', ['running', 'waiting'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** Begins the one run of a task at a due time; undefined when it is there already. */
export const insertRun = async (
  tx: TasksTransaction,
  task: Pick<Task, 'id' | 'owner'>,
  dueAt: number,
  run: {
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
      id: runIdOf(task.id, dueAt),
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
