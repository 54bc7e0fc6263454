import type { McpContent } from '../connection/mcp-connection.ts'

/** The size of a part besides its texts, in characters of JSON. */
const frame = 20

/** As many parts as fit into so many characters of JSON; the last one's text is cut. */
export const cutContent = (parts: readonly McpContent[], maxCharacters: number) => {
  const kept: McpContent[] = []
  let left = maxCharacters
  for (const part of parts) {
    const size = JSON.stringify(part).length
    if (size <= left) {
      kept.push(part)
      left -= size
      continue
    }
    const text = 'text' in part ? part.text : undefined
    const room = left - (size - JSON.stringify(text ?? '').length) - frame
    if (text !== undefined && room > 0) kept.push({ ...part, text: cutText(text, room) } as McpContent)
    return { kept, left: 0, isCut: true }
  }
  return { kept, left, isCut: false }
}

/** The longest beginning of a text whose JSON has at most so many characters. */
const cutText = (text: string, room: number): string => {
  let low = 0
  let high = Math.min(text.length, room)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (JSON.stringify(text.slice(0, middle)).length - 2 <= room) low = middle
    else high = middle - 1
  }
  return text.slice(0, low).toWellFormed()
}
