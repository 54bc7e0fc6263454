import { type Full, ToolFailure } from '@sibyl/plugin'

// Each is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

/** What was said about when a task is to run cannot be kept. */
export class TaskTimeInvalid extends ToolFailure {
  override readonly code = 'task_time_invalid'
  override readonly status = 400
}

/** The address that a result was to go to cannot be used. */
export class TaskAddressInvalid extends ToolFailure {
  override readonly code = 'task_address_invalid'
  override readonly status = 400
}

/** There are as many tasks as a holder, an address or all together may have. */
export class TasksFull extends ToolFailure {
  override readonly code = 'tasks_full'
  override readonly status = 409

  constructor(full: Full, most: number) {
    const reason = {
      holder: `a person may have ${most} tasks at a time. Cancel one first.`,
      origin: 'your address has its share of the tasks already. Cancel one first.',
      all: 'this oracle has as many tasks as it keeps. Ask the operator.',
    }[full]
    super(`Nothing was created: ${reason}`)
  }
}

/** What was asked of a task does not go with the state that it is in. */
export class TaskStateConflict extends ToolFailure {
  override readonly code = 'task_state_conflict'
  override readonly status = 409
}
