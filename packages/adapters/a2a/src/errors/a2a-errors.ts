import { defineErrors } from '@sibyl/plugin'

/** Errors of the A2A adapter. */
export const a2aErrors = defineErrors({
  a2a_task_unknown: {
    status: 404,
    message: 'There is no task with this id. It may have expired, or belong to another caller.',
  },
  a2a_task_not_cancelable: {
    status: 400,
    message: 'The task has already ended. Send a new message without `taskId`.',
  },
  a2a_task_ended: {
    status: 400,
    message:
      'The task has ended and takes no more messages. Send the message with its `contextId` and without `taskId`.',
  },
  a2a_task_running: {
    status: 400,
    message: 'The task is running and takes no messages. Wait for it, cancel it, or send the message without `taskId`.',
  },
  a2a_context_mismatch: {
    status: 400,
    message: '`contextId` is not that of the task. Leave it out, or send the one of the task.',
  },
  a2a_content_unsupported: {
    status: 400,
    message: '{what} is not supported. Send text, JSON data, or the content of a file as `raw`.',
    summary: 'The message has a part that the oracle does not accept; the message names it.',
  },
  a2a_version_unsupported: {
    status: 400,
    message: 'This version of A2A is not supported. Send `A2A-Version: 1.0`.',
  },
  a2a_method_unknown: {
    status: 404,
    message: 'The method does not exist. Use the methods of A2A 1.0, such as SendMessage.',
  },
  a2a_params_invalid: {
    status: 400,
    message: 'The parameters are invalid: {problem}.',
    summary: 'The parameters of a method are invalid; the message names the first invalid one.',
  },
  a2a_read_not_allowed: {
    status: 403,
    message: 'Reading tasks requires the ability session/read, which this caller does not have.',
  },
  a2a_push_unknown: {
    status: 404,
    message: 'The task has no push notification configuration with this id.',
  },
  a2a_push_full: {
    status: 429,
    message:
      'There are too many push notification configurations. Delete one, or wait until a task with one has ended.',
  },
})
