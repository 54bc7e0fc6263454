import { createHash } from 'node:crypto'

const plainId = /^[\w.:-]{1,128}$/

/**
 * What a tool call is known by, also after a restart: its turn and its id. An id that a model made longer or odder than
 * databases and services take is hashed.
 */
export const idempotencyKey = (turnId: string, toolCallId: string): string =>
  `${turnId}:${plainId.test(toolCallId) ? toolCallId : createHash('sha256').update(toolCallId).digest('base64url')}`
