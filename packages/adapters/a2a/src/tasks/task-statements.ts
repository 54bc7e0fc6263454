import type { FixedStatement, JsonText } from '@sibyl/plugin/storage'
import type { TaskState } from '../wire/task-state.ts'
import type { Task, TaskMessage } from './task.ts'
import type { A2aTables } from './task-tables.ts'

type TaskValues = Omit<Task, 'questions' | 'artifacts'> & { readonly questions: JsonText; readonly artifacts: JsonText }

type TaskId = Pick<Task, 'id'>

/** Stores a task, unless there is one of its id; returns the id of a stored one. */
export const taskInsert: FixedStatement<A2aTables, TaskValues, TaskId> = (tx, value) =>
  tx
    .insertInto('a2a_tasks')
    .values({
      id: value('id'),
      owner: value('owner'),
      context: value('context'),
      turn: value('turn'),
      state: value('state'),
      statusText: value('statusText'),
      questions: value('questions'),
      artifacts: value('artifacts'),
      startedAt: value('startedAt'),
      updatedAt: value('updatedAt'),
      bytes: value('bytes'),
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')

/** Stores what the turn of a task left, where the task has this turn and state; returns the id then. */
export const taskEnd: FixedStatement<A2aTables, TaskValues & { readonly stateBefore: TaskState }, TaskId> = (
  tx,
  value,
) =>
  tx
    .updateTable('a2a_tasks')
    .set({
      state: value('state'),
      statusText: value('statusText'),
      updatedAt: value('updatedAt'),
      questions: value('questions'),
      artifacts: value('artifacts'),
      bytes: value('bytes'),
    })
    .where(eb => eb.and({ id: value('id'), turn: value('turn'), state: value('stateBefore') }))
    .returning('id')

interface MessageValues extends Pick<TaskMessage, 'message' | 'role'> {
  readonly owner: string
  readonly task: string
  readonly parts: JsonText
  readonly bytes: number
}

/** Stores a message of a task, once. */
export const messageInsert: FixedStatement<A2aTables, MessageValues, { readonly place: number }> = (tx, value) =>
  tx
    .insertInto('a2a_messages')
    .values({
      owner: value('owner'),
      message: value('message'),
      task: value('task'),
      role: value('role'),
      parts: value('parts'),
      bytes: value('bytes'),
    })
    .onConflict(conflict => conflict.columns(['owner', 'message']).doNothing())
    .returning('place')
