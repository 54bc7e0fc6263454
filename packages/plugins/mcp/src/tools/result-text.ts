import type { McpContent, McpOutcome } from '@sibyl/mcp-client'
import type { JsonObject } from '@sibyl/protocol'

/** The most of a result that a model is told, in characters. */
export const maxResultText = 40_000

type Result = Extract<McpOutcome, { kind: 'result' }>

/** What a server sent, as text; cut where it is longer than a conversation should have to carry. */
export const resultText = (
  { content, structured, isCut = false }: Pick<Result, 'content' | 'structured'> & { readonly isCut?: boolean },
  redact: (text: string) => string,
): string => {
  const parts = content.map(contentText)
  if (structured !== undefined && !parts.some(part => isSame(part, structured))) parts.push(JSON.stringify(structured))
  const text = redact(parts.join('\n\n')).toWellFormed()
  if (text.length <= maxResultText) return isCut ? `${text}\n[The rest of the result was too large and is cut.]` : text
  return `${text.slice(0, maxResultText).toWellFormed()}\n[Cut: the first ${maxResultText} of ${isCut ? 'more than ' : ''}${text.length} characters.]`
}

/** One part of what a server sent, as text; of bytes what they are. */
export const contentText = (content: McpContent): string => {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource':
      return `${content.uri}\n${content.text ?? ''}`
    case 'link':
      return `${content.name}: ${content.uri}${content.description === undefined ? '' : ` (${content.description})`}`
    case 'binary':
      return `[${content.mimeType}, ${content.bytes} bytes, not shown]`
  }
}

/** Servers repeat their structured result as a text for hosts that know no structure, as JSON or as its only member. */
const isSame = (text: string, structured: JsonObject): boolean => {
  const [only, ...others] = Object.values(structured)
  if (others.length === 0 && typeof only === 'string' && only.trim() === text.trim()) return true
  const json = JSON.stringify(structured)
  if (text.length > json.length * 4 + 100) return false
  try {
    return JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
  }
}
