import type { Task, TaskRun } from './task.ts'
import type { RowOf, TasksTables } from './task-tables.ts'

/** Turns a row into a task. */
export const taskOf = (row: RowOf<TasksTables['tasks_tasks']>): Task => ({
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
 * The scopes of a task. Rows without a maker are of an earlier version, which put `chat/send` before the scopes of the maker.
 * Where the task was created in a conversation, the maker held it.
 */
const scopesOf = ({ scopes, maker, session }: RowOf<TasksTables['tasks_tasks']>): readonly string[] =>
  maker === null && session === null ? scopes.slice(1) : scopes

/** Turns a row into a run. */
export const runOf = (row: RowOf<TasksTables['tasks_runs']>): TaskRun => ({
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
