import * as z from 'zod'
import { messageParts } from './message-parts.ts'

/** The outcome of a turn. */
export const outcome = z.enum(['done', 'stopped', 'failed', 'interrupted', 'awaiting-approval'])
export type Outcome = z.infer<typeof outcome>

/** Tokens of a turn as the model's provider counted them, and an estimate for a step that was cut; 0 where it did not say. */
export const usage = z.object({
  inputTokens: z.int().min(0),
  cachedInputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
})
export type Usage = z.infer<typeof usage>

const metadataFields = z.object({
  sessionId: z.string().optional(),
  turnId: z.string().optional(),
  model: z.string().optional(),
  outcome: outcome.optional(),
  stepCount: z.int().min(0).optional(),
  durationMs: z.number().min(0).optional(),
  usage: usage.optional(),
})

/** Earlier oracles wrote `steps`, under which clients such as assistant-ui expect a list. */
const withStepCount = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('steps' in value)) return value
  const { steps, ...rest } = value
  return 'stepCount' in rest ? rest : { ...rest, stepCount: steps }
}

/** `messageMetadata` of the `start` and `finish` events, kept with the message; `steps` is read as `stepCount`. */
export const messageMetadata = z.preprocess(withStepCount, metadataFields)
export type MessageMetadata = z.infer<typeof messageMetadata>

/**
 * Events of a turn are numbered from 1. From this number on they are final events that were not stored with the others, such as
 * `turn_interrupted` after a crash: they follow whatever a client has read, and their numbers stand for nothing else.
 * Where another process continues a turn, numbers jump to the next ten millions; `data-resumed` comes first there.
 */
export const firstUnstoredNumber = 1_000_000

/**
 * One event of a chat stream, in the form of the AI SDK's UI message stream.
 * Exactly one of `finish`, `abort` and `error` ends a stream; `error` carries a stable `code`.
 */
export const chatEvent = z.union([
  z.object({ type: z.literal('start'), messageId: z.string(), messageMetadata: messageMetadata.optional() }),
  z.object({ type: z.enum(['start-step', 'finish-step']) }),
  z.object({ type: z.enum(['text-start', 'text-end', 'reasoning-start', 'reasoning-end']), id: z.string() }),
  z.object({ type: z.enum(['text-delta', 'reasoning-delta']), id: z.string(), delta: z.string() }),
  z.object({ type: z.literal('tool-input-start'), toolCallId: z.string(), toolName: z.string() }),
  z.object({ type: z.literal('tool-input-delta'), toolCallId: z.string(), inputTextDelta: z.string() }),
  z.object({
    type: z.literal('tool-input-available'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
  }),
  z.object({
    type: z.literal('tool-input-error'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    errorText: z.string(),
  }),
  z.object({ type: z.literal('tool-output-available'), toolCallId: z.string(), output: z.unknown() }),
  z.object({ type: z.literal('tool-output-error'), toolCallId: z.string(), errorText: z.string() }),
  z.object({ type: z.literal('tool-output-denied'), toolCallId: z.string() }),
  z.object({
    type: z.literal('tool-approval-request'),
    approvalId: z.string(),
    toolCallId: z.string(),
    /** The effect of the tool, in plain text. */
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal('data-capability'), id: z.string().optional(), data: messageParts.capability }),
  z.object({ type: z.literal('data-notice'), id: z.string().optional(), data: messageParts.notice }),
  z.object({ type: z.literal('data-resumed'), data: messageParts.resumed }),
  z.object({ type: z.literal('data-question'), id: z.string().optional(), data: messageParts.question }),
  z.looseObject({ type: z.templateLiteral(['data-', z.string()]), id: z.string().optional(), data: z.unknown() }),
  z.object({
    type: z.literal('finish'),
    finishReason: z.string().optional(),
    messageMetadata: messageMetadata.optional(),
  }),
  z.object({ type: z.literal('abort'), reason: z.string().optional() }),
  z.object({ type: z.literal('error'), errorText: z.string(), code: z.string() }),
])
export type ChatEvent = z.infer<typeof chatEvent>
