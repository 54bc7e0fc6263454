import { isObject } from '@sibyl/protocol'
import { createThinkSplitter, type SplitText } from './think-tags.ts'

/** A message, or a piece of one in a stream. */
export type ChatMessage = Readonly<Record<string, unknown>>

/** Returns a message with its reasoning apart, and its calls as the API defines them. */
export const repairMessage = (message: unknown): ChatMessage => {
  const repaired = readMessage(message)
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
export const withSplitText = (message: ChatMessage, { reasoning, content }: SplitText): ChatMessage => {
  const { content: _, ...rest } = message
  return {
    ...rest,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(content === undefined ? {} : { content }),
  }
}

/** Returns a message with the members that the API defines, in the types that it defines; others are left out. */
export const readMessage = (given: unknown): ChatMessage => {
  if (!isObject(given)) return {}
  const { role, content, tool_calls, function_call, ...rest } = given
  const calls = Array.isArray(tool_calls) ? tool_calls : isObject(function_call) ? [{ function: function_call }] : []
  const read = calls.flatMap(readCall)
  const texts = ['reasoning_content', 'reasoning', 'refusal'].flatMap(name =>
    typeof rest[name] === 'string' ? [[name, rest[name]] as const] : [],
  )
  return {
    ...Object.fromEntries(texts),
    ...(role === 'assistant' ? { role } : {}),
    ...(typeof content === 'string' || Array.isArray(content) ? { content } : {}),
    ...(read.length > 0 ? { tool_calls: read } : {}),
  }
}

const readCall = (given: unknown, place: number): object[] => {
  if (!isObject(given) || !isObject(given.function)) return []
  const { index, id, function: made, type: _, ...rest } = given
  const { name, arguments: input } = made
  return [
    {
      ...rest,
      index: Number.isInteger(Number(index ?? Number.NaN)) ? Number(index) : place,
      type: 'function',
      ...((typeof id === 'string' && id !== '') || typeof id === 'number' ? { id: String(id) } : {}),
      function: {
        ...(typeof name === 'string' && name !== '' ? { name } : {}),
        ...(typeof input === 'string' ? { arguments: input } : {}),
        ...(typeof input === 'object' && input !== null ? { arguments: JSON.stringify(input) } : {}),
      },
    },
  ]
}

/** Returns why an answer ended in the API's words; undefined where it has not. */
export const readFinish = (reason: unknown, hasCalls: boolean): string | undefined => {
  if (typeof reason !== 'string' || reason.trim() === '') return undefined
  if (/length|max_?tokens|max_output/i.test(reason)) return 'length'
  if (/content|safety|filter|refus|blocklist|prohibited|recitation/i.test(reason)) return 'content_filter'
  return hasCalls ? 'tool_calls' : 'stop'
}

/** Returns usage whose counts are numbers, also where they came as text. */
export const readUsage = (given: unknown): Record<string, unknown> | undefined => {
  if (!isObject(given)) return undefined
  const counts = Object.entries(given).flatMap(([name, count]): (readonly [string, unknown])[] => {
    if (isObject(count)) return [[name, readUsage(count)]]
    const number = typeof count === 'string' && count.trim() !== '' ? Number(count) : count
    return typeof number === 'number' && Number.isFinite(number) ? [[name, number]] : []
  })
  return Object.fromEntries(counts)
}
