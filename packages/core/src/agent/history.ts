import { againNote, attachmentHeading, postNote } from '@sibyl/models'
import type { ModelMessage, UIMessage } from 'ai'
import { isPost, isToolPart, type MessagePart, type StoredMessage } from '../sessions/turn-message.ts'
import { settleParts } from '../stream/settle-parts.ts'

/** The part of a session that goes to the model. */
export interface TrimmedHistory {
  readonly messages: readonly StoredMessage[]
  /** How many older messages were left out. */
  readonly leftOut: number
}

/**
 * Keeps the newest messages that fit into a budget. The cut is always before a user message or a post, so that no tool call
 * is parted from its result; the last user message stays whatever its size.
 *
 * @param budget Tokens, estimated at 4 characters each.
 */
export const trimHistory = (messages: readonly StoredMessage[], budget: number): TrimmedHistory => {
  let spent = 0
  let keepFrom = messages.findLastIndex(message => message.role === 'user')
  if (keepFrom < 0) keepFrom = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]!
    spent += Math.ceil(JSON.stringify(message.parts).length / 4)
    if (spent > budget) break
    if (message.role === 'user' || isPost(message)) keepFrom = Math.min(keepFrom, index)
  }
  return { messages: messages.slice(keepFrom), leftOut: keepFrom }
}

/** Stands before what the oracle said by itself, so that user and assistant take turns for every model. */
const beforePost: Omit<UIMessage, 'id'> = { role: 'user', parts: [{ type: 'text', text: postNote }] }

/** Stands before an answer that follows one to the same question, for the same reason. */
const beforeAgain: Omit<UIMessage, 'id'> = { role: 'user', parts: [{ type: 'text', text: againNote }] }

/** A file that the person sent along is words to the model: no provider is given an address to fetch, or the content. */
const asWords = (part: MessagePart): MessagePart => (part.type === 'file' ? { type: 'text', text: lineOf(part) } : part)

/** The words of a person who denied a call, as the model is to read them. */
const withDenial = (part: MessagePart): MessagePart => {
  const given = isToolPart(part) && part.state === 'output-denied' ? part.approval?.reason : undefined
  if (given === undefined || given.startsWith(denied)) return part
  return { ...part, approval: { ...(part.approval as object), reason: `${denied}: ${given}` } }
}
const denied = 'Tool execution denied'

const lineOf = ({ mediaType, filename, providerMetadata }: MessagePart): string => {
  const { path = filename, bytes } = (providerMetadata as { sibyl?: { path?: string; bytes?: number } })?.sibyl ?? {}
  const size = typeof bytes === 'number' ? `, ${bytes.toLocaleString('en')} bytes` : ''
  return `${attachmentHeading}${path}, ${mediaType}${size}. It is kept as a file of this person: tools for files read it.`
}

/**
 * The history as the model takes it; calls without a result are given one that says so.
 *
 * @param goesOn Whether the model goes on with the last answer; otherwise it gives that answer again.
 */
export const toModelMessages = async (
  ai: Pick<typeof import('ai'), 'convertToModelMessages'>,
  messages: readonly StoredMessage[],
  goesOn: boolean,
): Promise<ModelMessage[]> => {
  const history = messages.flatMap((message, index): Omit<UIMessage, 'id'>[] => {
    const { role } = message
    const settled = settleParts(message.parts, () => 'unknown')
    const parts = settled.map(role === 'user' ? asWords : withDenial) as UIMessage['parts']
    if (isPost(message)) return [beforePost, { role, parts }]
    return role === 'assistant' && isAnswer(messages[index - 1]) ? [beforeAgain, { role, parts }] : [{ role, parts }]
  })
  return ai.convertToModelMessages(!goesOn && isAnswer(messages.at(-1)) ? [...history, beforeAgain] : history)
}

const isAnswer = (message: StoredMessage | undefined): boolean => message?.role === 'assistant' && !isPost(message)
