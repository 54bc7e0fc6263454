import { defineToolFailures, type Full, type ToolFailure } from '@sibyl/plugin'

export const tasksErrors = defineToolFailures({
  scope_missing: {
    status: 403,
    message:
      'Sending to a named room needs the ability matrix/send, which the caller does not have. Write true for your own room.',
  },
  task_agent_denied: {
    code: 'scope_missing',
    status: 403,
    message:
      'A task for the agent needs the ability chat/send, which the caller does not have. Set `remind` for a plain reminder.',
  },
  task_empty: { status: 400, message: 'The instruction is empty. Describe in a sentence what the task should do.' },
  task_not_found: {
    status: 404,
    message: 'You have no task with that id. list_tasks or `GET /tasks` lists the ids.',
  },
  task_key_reused: {
    status: 422,
    message: 'That Idempotency-Key was used for another task. Send the same body with it, or use another key.',
  },
  task_time_invalid: {
    status: 400,
    message: '{problem}',
    summary: 'The time of a task is invalid; `detail` says why.',
  },
  task_address_invalid: {
    status: 400,
    message: '{problem}',
    summary: 'The result of a task should go to a channel that is not configured.',
  },
  tasks_full: {
    status: 409,
    message: 'No task was created: {reason}',
    summary: 'The caller, its address or all callers together have reached their limit of tasks.',
  },
  task_state_conflict: {
    status: 409,
    message: '{problem}',
    summary: 'The request does not fit the state of the task, or the task is running; `detail` says which.',
  },
})

/** Creates `task_time_invalid`. @param problem The problem and the remedy, as sentences. */
export const timeInvalid = (problem: string): ToolFailure => tasksErrors.task_time_invalid({ problem })

/** Creates `task_state_conflict`. @param reason Why the change is not possible, as sentences. */
export const stateConflict = (reason: string): ToolFailure => tasksErrors.task_state_conflict({ problem: reason })

/** Creates `tasks_full`. @param max Limit of tasks for a user. */
export const tasksFull = (full: Full, max: number): ToolFailure => {
  const reasons = {
    holder: `a user may have ${max} tasks at a time. Cancel one first.`,
    origin: 'your address has used its share of the tasks. Cancel one first.',
    all: 'this oracle has reached its limit of tasks. Contact the operator.',
  }
  return tasksErrors.tasks_full({ reason: reasons[full] })
}
