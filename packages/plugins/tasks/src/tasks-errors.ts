import { defineToolFailures } from '@sibyl/plugin'

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
})
