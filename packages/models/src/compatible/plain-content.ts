import { isObject } from '@sibyl/protocol'

/** Returns the body of a chat completion in which a content of texts alone is one text: some servers take no lists. */
export const withPlainContent = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { messages } = body
  return Array.isArray(messages) ? { ...body, messages: messages.map(plainMessage) } : { ...body }
}

const plainMessage = (message: unknown): unknown => {
  if (!isObject(message) || !Array.isArray(message.content)) return message
  const text = plainText(message.content)
  return text === undefined ? message : { ...message, content: text }
}

/** Settings of the provider that each request to a server of chat completions needs. */
export const compatibleSettings = {
  name: 'openai-compatible',
  includeUsage: true,
  supportsStructuredOutputs: true,
  transformRequestBody: withPlainContent,
} as const

/** Returns the texts of a content as one; undefined where it has something else. */
export const plainText = (content: readonly unknown[]): string | undefined => {
  const texts = content.flatMap(part => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n\n') : undefined
}
