import type { McpContent, McpOutcome } from '@sibyl/mcp-client'
import type { JsonObject } from '@sibyl/protocol'

/** Maximum length of a result for the model, in characters. */
const maxResultText = 40_000

type Result = Extract<McpOutcome, { kind: 'result' }>

/** Returns a server's result as text, truncated to a length that suits a conversation. */
export const resultText = (
  { content, structured, isCut = false }: Pick<Result, 'content' | 'structured'> & { readonly isCut?: boolean },
  redact: (text: string) => string,
): string => {
  const parts = content.map(contentText)
  if (structured !== undefined && !parts.some(part => isSame(part, structured))) parts.push(JSON.stringify(structured))
  const text = redact(parts.join('\n\n')).toWellFormed()
  if (text.length <= maxResultText) return isCut ? `${text}\n[Truncated: the result was too large.]` : text
  return `${text.slice(0, maxResultText).toWellFormed()}\n[Truncated: the first ${maxResultText} of ${isCut ? 'more than ' : ''}${text.length} characters.]`
}

/** Returns one part of a result as text; for binary content, its type and size. */
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

/**
 * Returns whether text repeats the structured result, as servers do for hosts without support for it: as JSON or as its
 * only member.
 */
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
