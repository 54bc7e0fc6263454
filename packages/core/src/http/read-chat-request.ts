import { createHash } from 'node:crypto'
import type { ClientTool } from '@sibyl/plugin/host'
import { newId } from '@sibyl/plugin/host'
import { type ChatMessage, chatLimits, type chatRequest, type JsonValue } from '@sibyl/protocol'
import type { z } from 'zod'
import { attachmentsOf } from '../attachments/read-attachments.ts'
import { type MessagePart, textOf } from '../sessions/stored-message.ts'
import type { ClientResult } from '../tools/core-tools.ts'
import { answerSchemaOf } from '../turn/loop/answer-schema.ts'
import type { AnswerSchema, RequestedTurn } from '../turn/store/requested-turn.ts'
import type { ProblemFacts } from './problem-response.ts'

/** A chat body that starts a turn. */
export interface ChatStart {
  readonly kind: 'start'
  readonly start: Omit<RequestedTurn, 'actor'>
  /** The attachments of the message, without validation. */
  readonly attachments: readonly unknown[]
}

/** The answer to one approval question. */
export interface ChatDecision {
  readonly id: string
  readonly approved: boolean
  readonly reason: string | undefined
}

/** A chat body that answers approval questions. */
export interface ChatDecisions {
  readonly kind: 'decisions'
  readonly sessionId: string
  readonly decisions: readonly ChatDecision[]
  /** Results in the message, also of calls that the oracle ran: those of open calls count. */
  readonly results: readonly CallResult[]
  readonly clientTools?: readonly ClientTool[] | undefined
  readonly answerSchema?: AnswerSchema | undefined
}

/** The result of a tool call, as the client has it. */
export interface CallResult {
  readonly toolCallId: string
  readonly result: ClientResult
}

/** The reason why a chat body is rejected: `message_missing`, `message_empty`. */
export type ChatProblem = ProblemFacts & { readonly code: string }

/**
 * Reads a chat body; missing ids of the session or message are generated.
 *
 * @throws OutputSchemaInvalid `output_schema_invalid`
 */
export const readChatRequest = (body: z.infer<typeof chatRequest>): ChatStart | ChatDecisions | ChatProblem => {
  const sessionId = body.id ?? newId('session')
  const clientTools = body.clientTools as readonly ClientTool[] | undefined
  const answerSchema = body.outputSchema && answerSchemaOf(body.outputSchema)
  const common = {
    sessionId,
    channel: 'chat',
    whenBusy: 'supersede',
    approvals: 'ask',
    awaited: false,
    clientTools,
    answerSchema,
  } as const
  const message = body.message ?? body.messages?.findLast(one => one.id !== undefined || !isEmptyAnswer(one))
  if (body.trigger === 'regenerate-message') {
    return {
      kind: 'start',
      start: { ...common, text: '', regenerate: { messageId: body.messageId } },
      attachments: [],
    }
  }
  if (typeof message === 'string') {
    const id = newId('msg')
    return {
      kind: 'start',
      start: { ...common, text: message, message: { id, parts: [{ type: 'text', text: message }] }, messageKey: id },
      attachments: [],
    }
  }
  if (message?.role === 'assistant') {
    const decisions = decisionsOf(message)
    const results = resultsOf(message)
    if (decisions.length + results.length > 0) {
      return { kind: 'decisions', sessionId, decisions, results, clientTools, answerSchema }
    }
  }
  if (message?.role !== 'user') return messageMissing
  const parts: MessagePart[] = textParts(message)
  const text = textOf(parts)
  const attachments = attachmentsOf(message)
  if (text.trim() === '' && attachments.length === 0)
    return { status: 400, code: 'message_empty', detail: 'The message has neither text nor attachments.' }
  const { messageId } = body
  const id = messageId ?? message.id ?? newId('msg')
  const edit =
    messageId === undefined ? { messageKey: id } : { messageKey: editKey(id, message), replaces: { messageId } }
  return { kind: 'start', start: { ...common, text, message: { id, parts }, ...edit }, attachments }
}

/** Returns whether a message is the answer that assistant-ui awaits. */
const isEmptyAnswer = ({ role, parts }: ChatMessage): boolean => role === 'assistant' && parts.length === 0

/** Returns the key of an edited message: a repeated request is the same edit, and another text is another one. */
const editKey = (messageId: string, { parts }: ChatMessage): string =>
  `edit/${messageId}/${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`

/** The last message asks for nothing. */
export const messageMissing: ChatProblem = {
  status: 400,
  code: 'message_missing',
  detail: 'The last message is not a user message.',
}

const textParts = (message: ChatMessage): MessagePart[] =>
  message.parts.flatMap(part =>
    part.type === 'text' && 'text' in part && typeof part.text === 'string' ? [{ type: 'text', text: part.text }] : [],
  )

/** Returns the approval answers of an assistant message, as `useChat` sends them. */
const decisionsOf = (message: ChatMessage): ChatDecision[] =>
  message.parts.flatMap(part => {
    const { state, approval } = part as { state?: unknown; approval?: Readonly<Record<string, unknown>> }
    if (state !== 'approval-responded' || typeof approval?.id !== 'string') return []
    const { id, approved, reason } = approval
    if (typeof approved !== 'boolean') return []
    return [{ id, approved, reason: typeof reason === 'string' ? reasonOf(reason) : undefined }]
  })

/** The results of tool calls in an assistant message, as `addToolOutput` of `useChat` leaves them. */
const resultsOf = (message: ChatMessage): CallResult[] =>
  message.parts.flatMap((part): CallResult[] => {
    const { toolCallId, state, output, errorText } = part as Readonly<Record<string, unknown>>
    if (typeof toolCallId !== 'string') return []
    if (state === 'output-available') return [{ toolCallId, result: { output: (output ?? null) as JsonValue } }]
    return state === 'output-error' ? [{ toolCallId, result: { error: String(errorText).slice(0, maxError) } }] : []
  })

/** The longest error of a client's tool, in characters. */
const maxError = 2_000

const reasonOf = (text: string): string | undefined => text.trim().slice(0, chatLimits.decisionReason) || undefined
