import { defineToolFailures, type Full, type ToolFailure } from '@sibyl/plugin'

export const tasksErrors = defineToolFailures({
  scope_missing: {
    status: 403,
    message:
      'A named room needs the ability matrix/send, which this caller does not hold. Write true for your own room.',
  },
  task_agent_denied: {
    code: 'scope_missing',
    status: 403,
    message:
      'A task of the agent needs the ability chat/send, which this caller does not hold. Set `remind` for a plain reminder.',
  },
  task_empty: { status: 400, message: 'There is nothing to do in that. Say in a sentence what is to be done.' },
  task_not_found: {
    status: 404,
    message: 'There is no task of that id among yours. list_tasks or `GET /tasks` tell the ids.',
  },
  task_key_reused: {
    status: 422,
    message: 'That Idempotency-Key stands for another task. Send the same body with it, or another key.',
  },
  task_time_invalid: { status: 400, message: '{fault}', summary: 'The time of a task is invalid; `detail` says why.' },
  task_address_invalid: {
    status: 400,
    message: '{fault}',
    summary: 'The result of a task was to go to a channel that is not set up.',
  },
  tasks_full: {
    status: 409,
    message: 'Nothing was created: {reason}',
    summary: 'The caller, its address or all callers together have as many tasks as they may.',
  },
  task_state_conflict: {
    status: 409,
    message: '{fault}',
    summary: 'The request does not fit the state of the task, or the task is running; `detail` says which.',
  },
})

/** Creates `task_time_invalid`. @param fault What is wrong, and what to say instead, as sentences. */
export const timeInvalid = (fault: string): ToolFailure => tasksErrors.task_time_invalid({ fault })

/** Creates `task_state_conflict`. @param fault Why the task cannot be changed so, as sentences. */
export const stateConflict = (fault: string): ToolFailure => tasksErrors.task_state_conflict({ fault })

/** Creates `tasks_full`. @param most Tasks of a person. */
export const tasksFull = (full: Full, most: number): ToolFailure => {
  const reasons = {
    holder: `a person may have ${most} tasks at a time. Cancel one first.`,
    origin: 'your address has its share of the tasks already. Cancel one first.',
    all: 'this oracle has as many tasks as it keeps. Ask the operator.',
  }
  return tasksErrors.tasks_full({ reason: reasons[full] })
}
