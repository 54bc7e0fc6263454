import { sql } from '@sibyl/plugin/storage'
import type { TaskState } from '../records/task-records.ts'
import type { Task, TaskRun } from './task.ts'
import { forgotten, runOf, taskOf } from './task-rows.ts'
import type { TasksStorage } from './task-tables.ts'

export interface ListedTask {
  readonly task: Task
  readonly lastRun: TaskRun | undefined
}

/** Selects tasks of all users. */
export interface TaskFilter {
  readonly owner?: string | undefined
  readonly state?: TaskState | undefined
  /** Only tasks whose last runs failed, or that were stopped. */
  readonly failing: boolean
  readonly limit: number
  /** The creation and the ID of the task after which the list starts. */
  readonly after?: readonly [createdAt: number, id: string] | undefined
}

/** Reads the tasks of all users with their last runs, newest first. */
export const listAllTasks = async (
  { read }: Pick<TasksStorage, 'read'>,
  { owner, state, failing, limit, after }: TaskFilter,
): Promise<readonly ListedTask[]> => {
  let query = read
    .selectFrom('tasks_tasks')
    .selectAll()
    .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '!=', forgotten)]))
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (state !== undefined) query = query.where('state', '=', state)
  if (failing) query = query.where(({ or, eb }) => or([eb('failures', '>', 0), eb('state', '=', 'stopped')]))
  if (after !== undefined) query = query.where(sql<boolean>`(created_at, id) < (${after[0]}, ${after[1]})`)
  const tasks = (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(taskOf)
  const runs = await lastRuns(
    read,
    tasks.map(({ id }) => id),
  )
  return tasks.map(task => ({ task, lastRun: runs.get(task.id) }))
}

/** The most tasks of a calendar. */
const maxDue = 500

/** Reads the active tasks of all users with a run before a time, the earliest first, at most 500. */
export const listDueTasks = async ({ read }: Pick<TasksStorage, 'read'>, until: number): Promise<readonly Task[]> => {
  const due = read.selectFrom('tasks_tasks').selectAll().where('state', '=', 'active').where('next_at', '<', until)
  return (await due.orderBy('next_at').limit(maxDue).execute()).map(taskOf)
}

const lastRuns = async (
  read: TasksStorage['read'],
  tasks: readonly string[],
): Promise<ReadonlyMap<string, TaskRun>> => {
  if (tasks.length === 0) return new Map()
  const rows = await read
    .selectFrom('tasks_runs as r')
    .selectAll('r')
    .where('r.task', 'in', tasks)
    .where('r.due_at', '=', ({ selectFrom }) =>
      selectFrom('tasks_runs as o')
        .select(({ fn }) => fn.max('o.due_at').as('due'))
        .whereRef('o.task', '=', 'r.task'),
    )
    .execute()
  return new Map(rows.map(row => [row.task, runOf(row)]))
}
