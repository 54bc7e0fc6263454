import { searchWords } from '@sibyl/plugin/storage'

/** Number of bytes that are examined to detect text. */
const looked = 65_536

/**
 * Returns the text of a content: UTF-8, UTF-16 with a byte order mark, or Windows-1252 if the media type is text.
 *
 * @param isCut Whether the content may end in the middle of a character.
 * @returns undefined if it is not text
 */
export const readText = (content: Uint8Array, mediaType: string, isCut = false): string | undefined => {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', content, isCut)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', content, isCut)
  if (content.subarray(0, looked).includes(0)) return undefined
  const text = decoded('utf-8', content, isCut)
  if (text !== undefined) return text.includes('\0') ? undefined : text
  return mediaType.startsWith('text/') ? decoded('windows-1252', content, isCut) : undefined
}

const decoded = (encoding: string, content: Uint8Array, isCut: boolean): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content, { stream: isCut })
  } catch {
    return undefined
  }
}

/** Maximum length of a snippet, in characters. */
const maxSnippet = 240
/** Maximum number of lines that are read. */
const maxLines = 5_000

/**
 * Returns the line of a text with the most words of a query, truncated around the first of them; undefined if no line
 * has any.
 */
export const snippetOf = (text: string, words: readonly string[]): string | undefined => {
  let best: { readonly line: string; readonly hits: number } | undefined
  for (const line of text.split(/\r?\n/, maxLines)) {
    const own = searchWords(line.slice(0, 20_000))
    const hits = words.filter(word => own.some(one => one === word || (word.length > 3 && one.startsWith(word)))).length
    if (hits > (best?.hits ?? 0)) best = { line, hits }
  }
  return best && cutAround(best.line.trim(), words)
}

const cutAround = (line: string, words: readonly string[]): string => {
  if (line.length <= maxSnippet) return line
  const lower = line.toLowerCase()
  const places = words.map(word => lower.indexOf(word)).filter(place => place >= 0)
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - maxSnippet / 3)
  const to = from + maxSnippet
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`
}
