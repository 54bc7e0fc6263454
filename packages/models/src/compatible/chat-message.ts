import { createThinkSplitter, type SplitText } from './think-tags.ts'

/** A message, or a piece of one in a stream, as far as it is repaired. */
export interface ChatMessage {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly tool_calls?: readonly ToolCall[] | null | undefined
}

interface ToolCall {
  readonly function?: { readonly arguments?: unknown }
}

/** Returns a message with the arguments of its tool calls as text, and its reasoning apart; the same where it has both. */
export const repairMessage = <Message extends ChatMessage>(message: Message): Message => {
  const repaired = withTextArguments(message)
  if (typeof repaired.content !== 'string' || !repaired.content.trimStart().startsWith('<think>')) return repaired
  const splitter = createThinkSplitter()
  return withSplitText(repaired, joined(splitter.take(repaired.content), splitter.end()))
}

/** Joins what two pieces hold. */
export const joined = (one: SplitText, other: SplitText): SplitText => {
  const reasoning = `${one.reasoning ?? ''}${other.reasoning ?? ''}`
  const content = `${one.content ?? ''}${other.content ?? ''}`
  return { ...(reasoning === '' ? {} : { reasoning }), ...(content === '' ? {} : { content }) }
}

/** Returns a message with other text. */
export const withSplitText = <Message extends ChatMessage>(
  message: Message,
  { reasoning, content }: SplitText,
): Message => {
  const { content: _, ...rest } = message
  return {
    ...rest,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(content === undefined ? {} : { content }),
  } as Message
}

/** Returns a message whose tool calls have their arguments as text; the same where they have. */
export const withTextArguments = <Message extends ChatMessage>(message: Message): Message => {
  const calls = message.tool_calls
  if (!calls?.some(call => isObject(call.function?.arguments))) return message
  const tool_calls = calls.map(call => {
    const given = call.function?.arguments
    return isObject(given) ? { ...call, function: { ...call.function, arguments: JSON.stringify(given) } } : call
  })
  return { ...message, tool_calls }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
