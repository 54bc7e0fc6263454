import { createHash } from 'node:crypto'
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { isObject } from '@sibyl/protocol'

type MessageOf<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type UserMessage = MessageOf<'user'>
type AssistantMessage = MessageOf<'assistant'>
type AssistantPart = AssistantMessage['content'][number]
type ToolPart = MessageOf<'tool'>['content'][number]

/** Stands where the user's message has no text, or is missing. */
const noMessage = '(no text)'

/** Stands where the model gave no answer after the results of its calls. */
const noAnswer = '(no answer)'

/** Stands as the result of a call whose result is missing. */
const noResult = 'No result: the turn ended before this call.'

/** Stands where a tool returned a blank text. */
const noOutput = '(no output)'

/**
 * Returns a prompt as the strictest model APIs take it: one system message first, then user and assistant in turns, without blank
 * texts; the arguments of calls are objects, each call is followed by its one result, and ids and names of calls fit.
 */
export const portablePrompt = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const results = new ToolResults(prompt)
  const messages: LanguageModelV4Message[] = []
  for (const message of prompt) {
    if (message.role === 'system' || message.role === 'tool') continue
    if (message.role === 'user') {
      append(messages, cleanUser(message))
      continue
    }
    const [content, answers] = results.answered(message, cleanAnswer(message))
    if (content.length > 0) append(messages, { ...message, content })
    if (answers.length > 0) messages.push({ role: 'tool', content: answers })
  }
  if (messages[0]?.role !== 'user') messages.unshift(textOf('user', noMessage))
  if (messages.at(-1)?.role === 'assistant') messages.push(textOf('user', noMessage))
  return [...systemOf(prompt), ...messages]
}

const textOf = <Role extends 'user' | 'assistant'>(role: Role, text: string) => ({
  role,
  content: [{ type: 'text' as const, text }],
})

const isBlank = (text: string): boolean => text.trim() === ''

const systemOf = (prompt: LanguageModelV4Prompt): LanguageModelV4Message[] => {
  const given = prompt.filter((message): message is MessageOf<'system'> => message.role === 'system')
  const [first, ...more] = given.filter(({ content }) => !isBlank(content))
  if (!first) return []
  return [{ ...first, content: [first, ...more].map(({ content }) => content).join('\n\n') }]
}

const cleanUser = (message: UserMessage): UserMessage => {
  const content = message.content.filter(part => part.type !== 'text' || !isBlank(part.text))
  return { ...message, content: content.length > 0 ? content : textOf('user', noMessage).content }
}

/** An answer of thoughts alone is left out. A text that its provider reads again by its id stays. */
const cleanAnswer = (message: AssistantMessage): AssistantMessage['content'] => {
  const content = message.content.flatMap((part): AssistantPart[] => {
    if (part.type === 'text') return isBlank(part.text) && part.providerOptions === undefined ? [] : [part]
    if (part.type !== 'tool-call') return [part]
    return [{ ...part, toolName: cleanName(part.toolName), input: isObject(part.input) ? part.input : {} }]
  })
  const hasAnswer = content.some(({ type }) => type !== 'reasoning' && type !== 'reasoning-file')
  return hasAnswer ? content : []
}

/** Returns the name of a call as APIs take it: models also call tools that do not exist. */
const cleanName = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown'

const append = (messages: LanguageModelV4Message[], message: UserMessage | AssistantMessage): void => {
  const last = messages.at(-1)
  if (last?.role === message.role) {
    const content = [...last.content, ...message.content]
    messages.splice(-1, 1, { ...last, content } as UserMessage | AssistantMessage)
    return
  }
  if (last?.role === 'tool' && message.role === 'user') messages.push(textOf('assistant', noAnswer))
  messages.push(message)
}

/** The results that followed a message, and the approvals of calls that run at the provider. */
interface Followers {
  readonly results: Map<string, LanguageModelV4ToolResultPart>
  readonly approvals: ToolPart[]
}

/** The ids of the calls of a conversation, and their results. */
class ToolResults {
  readonly #followers = new Map<LanguageModelV4Message, Followers>()
  readonly #used = new Set<string>()

  constructor(prompt: LanguageModelV4Prompt) {
    let followers: Followers = { results: new Map(), approvals: [] }
    for (const message of prompt) {
      if (message.role === 'assistant') {
        followers = { results: new Map(), approvals: [] }
        this.#followers.set(message, followers)
      }
      if (message.role !== 'tool') continue
      for (const part of message.content) {
        if (part.type !== 'tool-result') followers.approvals.push(part)
        else if (!followers.results.has(part.toolCallId)) followers.results.set(part.toolCallId, part)
      }
    }
  }

  /** Returns a message whose calls have ids that no earlier call has, and after it one result for each, in their order. */
  answered(given: AssistantMessage, content: AssistantMessage['content']): [AssistantMessage['content'], ToolPart[]] {
    const { results, approvals } = this.#followers.get(given)!
    const renamed = new Map<string, string>()
    const answers: ToolPart[] = []
    const parts = content.map(part => {
      if (part.type === 'tool-result') return { ...part, toolCallId: renamed.get(part.toolCallId) ?? part.toolCallId }
      if (part.type !== 'tool-call') return part
      const { toolCallId: id, toolName } = part
      const toolCallId = this.#reserve(id)
      renamed.set(id, toolCallId)
      const { providerOptions: _, ...call } = part
      if (!part.providerExecuted) {
        const { output, ...result } = results.get(id) ?? missingResult
        answers.push({ ...result, toolCallId, toolName, output: withText(output) })
        results.delete(id)
      }
      // A provider reads its own record of a call by its options, under the id that it gave.
      return toolCallId === id ? part : { ...call, toolCallId }
    })
    return [parts, [...answers, ...approvals]]
  }

  /** Returns an id that fits and that no other call has, or else one that follows from it; some servers require nine characters. */
  #reserve(id: string): string {
    let free = id
    for (let count = 1; this.#used.has(free) || free === '' || free.length > maxIdLength; count += 1) {
      free = createHash('sha256').update(`${id} ${count}`).digest('hex').slice(0, 9)
    }
    this.#used.add(free)
    return free
  }
}

const maxIdLength = 64

const missingResult: Omit<LanguageModelV4ToolResultPart, 'toolCallId' | 'toolName'> = {
  type: 'tool-result',
  output: { type: 'error-text', value: noResult },
}

/** Returns an output without a blank text. */
const withText = (output: LanguageModelV4ToolResultOutput): LanguageModelV4ToolResultOutput => {
  if (output.type === 'text' || output.type === 'error-text') {
    return isBlank(output.value) ? { ...output, value: noOutput } : output
  }
  return output.type === 'execution-denied' && isBlank(output.reason ?? '') ? { type: output.type } : output
}
