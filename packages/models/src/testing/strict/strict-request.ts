import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isObject } from '@sibyl/protocol'

/** A request to a model in the terms that all APIs share. */
export interface StrictRequest {
  readonly messages: readonly StrictMessage[]
  readonly tools: readonly StrictTool[]
}

/** A message of a request. */
export interface StrictMessage {
  role: string
  /** All texts, files left out. */
  readonly texts: string[]
  hasFiles: boolean
  /** Whether the content is a list though it has texts alone. */
  isList: boolean
  readonly calls: StrictCall[]
  /** The ids of the calls whose results it has. */
  readonly results: string[]
}

/** A call of a tool; its arguments are JSON, or the value itself. */
export interface StrictCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** A tool on offer. */
export interface StrictTool {
  readonly name: string
  readonly schema: unknown
}

const message = (role: string): StrictMessage => ({
  role,
  texts: [],
  hasFiles: false,
  isList: false,
  calls: [],
  results: [],
})

const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])

const addContent = (to: StrictMessage, content: unknown): void => {
  if (typeof content === 'string') to.texts.push(content)
  for (const part of list(content)) {
    if (typeof part.text === 'string') to.texts.push(part.text)
    else to.hasFiles = true
  }
  to.isList = Array.isArray(content) && !to.hasFiles
}

/** Reads the body of a chat completion. */
export const ofChatCompletion = (body: Readonly<Record<string, unknown>>): StrictRequest => ({
  messages: list(body.messages).map(({ role, content, tool_calls, tool_call_id }) => {
    const read = message(String(role))
    addContent(read, content)
    for (const call of list(tool_calls)) {
      const made = isObject(call.function) ? call.function : {}
      read.calls.push({ id: String(call.id), name: String(made.name), input: jsonOf(made.arguments) })
    }
    if (role === 'tool') read.results.push(String(tool_call_id))
    return read
  }),
  tools: list(body.tools).map(tool => {
    const made = isObject(tool.function) ? tool.function : {}
    return { name: String(made.name), schema: made.parameters }
  }),
})

/** Reads the body of a response; what it refers to by id is what the fake server gave. */
export const ofResponse = (body: Readonly<Record<string, unknown>>): StrictRequest => {
  const messages: StrictMessage[] = []
  const next = (role: string): StrictMessage => {
    const last = messages.at(-1)
    if (last?.role === role && role === 'assistant') return last
    const read = message(role)
    messages.push(read)
    return read
  }
  for (const item of list(body.input)) {
    const { type, role, content, call_id, name, id } = item
    if (type === 'function_call_output') {
      const read = next('tool')
      read.results.push(String(call_id))
      addContent(read, item.output)
    } else if (type === 'function_call') {
      next('assistant').calls.push({ id: String(call_id), name: String(name), input: jsonOf(item.arguments) })
    } else if (type === 'item_reference' && String(id).startsWith('fc_')) {
      next('assistant').calls.push({ id: String(id).slice('fc_'.length), name: 'referenced', input: {} })
    } else if (type === 'item_reference' || type === 'reasoning') next('assistant').hasFiles = true
    else {
      const read = next(role === 'developer' ? 'system' : String(role))
      addContent(read, content)
      read.isList = false
    }
  }
  return {
    messages,
    tools: list(body.tools).map(({ name, parameters }) => ({ name: String(name), schema: parameters })),
  }
}

/** Reads a call of the AI SDK. */
export const ofCall = ({ prompt, tools = [] }: LanguageModelV4CallOptions): StrictRequest => ({
  messages: prompt.flatMap(({ role, content }): StrictMessage[] => {
    if (role === 'system') return [{ ...message(role), texts: [content] }]
    if (role === 'tool') {
      return content.flatMap(part => {
        if (part.type !== 'tool-result') return []
        const { output } = part
        const texts = output.type === 'text' || output.type === 'error-text' ? [output.value] : []
        return [{ ...message(role), texts, hasFiles: texts.length === 0, results: [part.toolCallId] }]
      })
    }
    const read = message(role)
    for (const part of content) {
      // A provider reads a text that it knows by its id.
      if (part.type === 'text' && (part.text !== '' || part.providerOptions === undefined)) read.texts.push(part.text)
      else if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: name, input, providerExecuted } = part
        if (providerExecuted) read.hasFiles = true
        else read.calls.push({ id, name, input })
      } else if (part.type !== 'reasoning') read.hasFiles = true
    }
    return [read]
  }),
  tools: tools.flatMap(tool => (tool.type === 'function' ? [{ name: tool.name, schema: tool.inputSchema }] : [])),
})

const jsonOf = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
