import { type ChatMessage, type ChatRequest, maxDecisionReason } from '@sibyl/protocol'
import { type MessagePart, textOf } from '../sessions/stored-message.ts'
import { newId, type StartTurn } from '../turn/start-turn.ts'
import type { ProblemFacts } from './problem-response.ts'
import { attachmentsOf, type ReadAttachments } from './read-attachments.ts'

/** A chat body that starts a turn. */
export interface ChatStart {
  readonly kind: 'start'
  readonly start: Omit<StartTurn, 'actor'>
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
}

/** The reason why a chat body is rejected: `message_missing`, `message_empty`. */
export type ChatProblem = ProblemFacts & { readonly code: string }

/** Reads a chat body; missing ids of the session or message are generated. */
export const readChatRequest = (body: ChatRequest): ChatStart | ChatDecisions | ChatProblem => {
  const sessionId = body.id ?? newId('session')
  const common = {
    sessionId,
    channel: 'chat',
    whenBusy: 'supersede',
    approvals: 'ask',
    awaited: false,
  } as const
  const message = body.message ?? body.messages?.at(-1)
  if (body.trigger === 'regenerate-message') {
    return {
      kind: 'start',
      start: { ...common, text: '', regenerate: body.messageId === undefined ? {} : { messageId: body.messageId } },
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
  const decisions = message?.role === 'assistant' ? decisionsOf(message) : []
  if (decisions.length > 0) return { kind: 'decisions', sessionId, decisions }
  if (message?.role !== 'user') {
    return { status: 400, code: 'message_missing', detail: 'The last message is not a user message.' }
  }
  const parts: MessagePart[] = textParts(message)
  const text = textOf(parts)
  const attachments = attachmentsOf(message)
  if (text.trim() === '' && attachments.length === 0)
    return { status: 400, code: 'message_empty', detail: 'The message has neither text nor attachments.' }
  const id = message.id ?? newId('msg')
  return { kind: 'start', start: { ...common, text, message: { id, parts }, messageKey: id }, attachments }
}

/** Returns a message whose attachments are stored when its turn starts; without text, their names are its text. */
export const withAttachments = (
  start: Omit<StartTurn, 'actor'>,
  { names, keep }: ReadAttachments,
): Omit<StartTurn, 'actor'> => {
  const { message } = start
  if (!message) return start
  const text = start.text.trim() === '' ? names.join(', ') : start.text
  const said = message.parts.filter(part => part.type !== 'text' || String(part.text).trim() !== '')
  return { ...start, text, completeMessage: async () => ({ ...message, parts: [...said, ...(await keep())] }) }
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

const reasonOf = (text: string): string | undefined => text.trim().slice(0, maxDecisionReason) || undefined
