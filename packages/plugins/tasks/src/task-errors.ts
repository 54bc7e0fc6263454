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

/** The result was to go to a room, and the caller may not write to rooms. */
export class TaskRoomDenied extends ToolFailure {
  override readonly code = 'scope_missing'
  override readonly status = 403

  constructor() {
    super('A named room needs the ability matrix/send, which this caller does not hold. Write true for your own room.')
  }
}

/** The agent was to work on a task of somebody who may not chat with it. */
export class TaskAgentDenied extends ToolFailure {
  override readonly code = 'scope_missing'
  override readonly status = 403

  constructor() {
    super(
      'A task of the agent needs the ability chat/send, which this caller does not hold. Set `remind` for a plain reminder.',
    )
  }
}

/** What the task is to do has nothing in it that can be seen. */
export class TaskEmpty extends ToolFailure {
  override readonly code = 'task_empty'
  override readonly status = 400

  constructor() {
    super('There is nothing to do in that. Say in a sentence what is to be done.')
  }
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

/** A person has no task of that id. */
export class TaskUnknown extends ToolFailure {
  override readonly code = 'task_not_found'
  override readonly status = 404

  constructor() {
    super('There is no task of that id among yours. list_tasks or `GET /tasks` tell the ids.')
  }
}

/** What was asked of a task does not go with the state that it is in. */
export class TaskStateConflict extends ToolFailure {
  override readonly code = 'task_state_conflict'
  override readonly status = 409
}

/** The key of a creation stands for another one. */
export class TaskKeyReused extends ToolFailure {
  override readonly code = 'task_key_reused'
  override readonly status = 422

  constructor() {
    super('That Idempotency-Key stands for another task. Send the same body with it, or another key.')
  }
}
