import type {
  LanguageModelV4,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { detectMediaType, isFullMediaType, isUrlSupported } from '@ai-sdk/provider-utils'
import {
  type AssistantModelMessage,
  createDownload,
  type FilePart,
  InvalidDataContentError,
  MissingToolResultsError,
  type ModelMessage,
  type ToolModelMessage,
  type UserModelMessage,
} from 'ai'

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

type ProviderOptions = NonNullable<AssistantPart['providerOptions']>

/** Returns the member of a prompt's part that a provider reads again; nothing where it gave nothing. */
export const optionsOf = (given: object | undefined | null): { readonly providerOptions?: ProviderOptions } =>
  given == null ? {} : { providerOptions: given as ProviderOptions }

interface PromptTarget {
  readonly supportedUrls: Awaited<LanguageModelV4['supportedUrls']>
  readonly signal: AbortSignal
}

/**
 * Converts messages of the AI SDK to provider messages: empty texts are omitted, consecutive tool messages are merged,
 * and a file whose URL the model does not support is inlined.
 *
 * @throws MissingToolResultsError when a call has no result
 */
export const toModelPrompt = async (
  instructions: string,
  messages: readonly ModelMessage[],
  target: PromptTarget,
): Promise<LanguageModelV4Prompt> => {
  const converted = await Promise.all(messages.map(message => convertMessage(message, target)))
  const prompt = mergeToolMessages([{ role: 'system', content: instructions }, ...converted])
  checkResults(prompt)
  return prompt.filter(({ role, content }) => role !== 'tool' || content.length > 0)
}

const convertMessage = (message: ModelMessage, target: PromptTarget): Promise<LanguageModelV4Message> => {
  switch (message.role) {
    case 'user':
      return convertUser(message, target)
    case 'assistant':
      return Promise.resolve(convertAssistant(message))
    case 'tool':
      return Promise.resolve(convertTool(message))
    case 'system':
      throw new RangeError('A system message among the messages of a session is not sent to the model.')
  }
}

const convertUser = async (
  { content, providerOptions }: UserModelMessage,
  target: PromptTarget,
): Promise<LanguageModelV4Message> => {
  const given = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const parts = await Promise.all(
    given.map(async (part): Promise<LanguageModelV4TextPart | LanguageModelV4FilePart> => {
      if (part.type === 'text') return { type: 'text', text: part.text, ...optionsOf(part.providerOptions) }
      if (part.type === 'file') return inlineFile(part, target)
      throw new RangeError(`A part '${part.type}' of a user's message is not sent to the model.`)
    }),
  )
  const kept = typeof content === 'string' ? parts : parts.filter(part => part.type !== 'text' || part.text !== '')
  return { role: 'user', content: kept, ...optionsOf(providerOptions) }
}

type GivenPart = Exclude<AssistantModelMessage['content'], string>[number]

type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

const convertAssistant = ({ content, providerOptions }: AssistantModelMessage): LanguageModelV4Message => {
  const options = optionsOf(providerOptions)
  if (typeof content === 'string') return { role: 'assistant', content: [{ type: 'text', text: content }], ...options }
  const parts = content.flatMap(convertAssistantPart)
  return { role: 'assistant', content: parts, ...options }
}

/** Nothing for what is not sent: an empty text, and questions that were asked about calls. */
const convertAssistantPart = (part: GivenPart): AssistantPart[] => {
  switch (part.type) {
    case 'text':
      if (part.text === '' && part.providerOptions === undefined) return []
      return [{ type: 'text', text: part.text, ...optionsOf(part.providerOptions) }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...optionsOf(part.providerOptions) }]
    case 'custom':
      return [{ type: 'custom', kind: part.kind, ...optionsOf(part.providerOptions) }]
    case 'file': {
      const { data, mediaType = part.mediaType } = readFileData(part.data)
      const name = part.filename === undefined ? {} : { filename: part.filename }
      return [{ type: 'file', data, ...name, mediaType, ...optionsOf(part.providerOptions) }]
    }
    case 'reasoning-file': {
      const { data, mediaType = part.mediaType } = readFileData(part.data)
      if (data.type !== 'data' && data.type !== 'url') throw new RangeError(`A file of thoughts as '${data.type}'.`)
      return [{ type: 'reasoning-file', data, mediaType, ...optionsOf(part.providerOptions) }]
    }
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted } = part
      const executed = providerExecuted === undefined ? {} : { providerExecuted }
      return [{ type: 'tool-call', toolCallId, toolName, input, ...executed, ...optionsOf(part.providerOptions) }]
    }
    case 'tool-result':
      return [convertResult(part)]
    case 'tool-approval-request':
      return []
  }
}

const convertTool = ({ content, providerOptions }: ToolModelMessage): LanguageModelV4Message => ({
  role: 'tool',
  content: content.flatMap((part): readonly ToolPart[] => {
    if (part.type === 'tool-result') return [convertResult(part)]
    if (!part.providerExecuted) return []
    const { approvalId, approved, reason } = part
    return [
      { type: 'tool-approval-response' as const, approvalId, approved, ...(reason === undefined ? {} : { reason }) },
    ]
  }),
  ...optionsOf(providerOptions),
})

type GivenResult = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>

const convertResult = (part: GivenResult): LanguageModelV4ToolResultPart => {
  const { toolCallId, toolName, output } = part
  if (output.type === 'content') throw new RangeError('A tool result of several parts is not sent to the model.')
  return { type: 'tool-result', toolCallId, toolName, output, ...optionsOf(part.providerOptions) }
}

const inlineFile = async (
  part: FilePart,
  { supportedUrls, signal }: PromptTarget,
): Promise<LanguageModelV4FilePart> => {
  const read = readFileData(part.data)
  let { data } = read
  let mediaType = read.mediaType ?? part.mediaType
  if (data.type === 'url' && !isUrlSupported({ url: String(data.url), mediaType: part.mediaType, supportedUrls })) {
    const file = await createDownload()({ url: data.url, abortSignal: signal })
    data = { type: 'data', data: file.data }
    if (file.mediaType !== undefined && !isFullMediaType(mediaType)) mediaType = file.mediaType
  }
  if (data.type === 'data') mediaType = detectMediaType({ data: data.data, topLevelType: 'image' }) ?? mediaType
  const name = part.filename === undefined ? {} : { filename: part.filename }
  return { type: 'file', mediaType, ...name, data, ...optionsOf(part.providerOptions) }
}

/** Reads the data of a file as `convertToModelMessages` gives it: an address, also one that holds the content, or a reference. */
const readFileData = (
  given: FilePart['data'],
): { readonly data: LanguageModelV4FilePart['data']; readonly mediaType?: string } => {
  const isTagged = typeof given === 'object' && 'type' in given
  if (isTagged && given.type === 'reference') return { data: { type: 'reference', reference: given.reference } }
  if (!isTagged || given.type !== 'url') throw new RangeError('A file has neither a URL nor a reference.')
  const { url } = given
  if (url.protocol !== 'data:') return { data: { type: 'url', url } }
  const [head = '', data] = String(url).split(',')
  const mediaType = head.split(';')[0]?.split(':')[1]
  if (mediaType === undefined || data === undefined) throw new InvalidDataContentError({ content: url })
  return { data: { type: 'data', data }, mediaType }
}

const mergeToolMessages = (messages: readonly LanguageModelV4Message[]): LanguageModelV4Prompt => {
  const merged: LanguageModelV4Prompt = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content)
    else merged.push(message)
  }
  return merged
}

const checkResults = (prompt: LanguageModelV4Prompt): void => {
  const open = new Set<string>()
  const check = () => {
    if (open.size > 0) throw new MissingToolResultsError({ toolCallIds: [...open] })
  }
  for (const { role, content } of prompt) {
    if (role === 'user' || role === 'system') check()
    else {
      for (const part of content) {
        if (part.type === 'tool-call' && !part.providerExecuted) open.add(part.toolCallId)
        if (part.type === 'tool-result' && role === 'tool') open.delete(part.toolCallId)
      }
    }
  }
  check()
}
