import { searchWords } from '@sibyl/plugin/storage'

/** The longest snippet, in characters. */
const maxSnippet = 240
/** So many lines are looked at. */
const mostLines = 5_000

/** The line of a text that has the most words of a query, cut around the first of them; undefined where none has any. */
export const snippetOf = (text: string, words: readonly string[]): string | undefined => {
  let best: { readonly line: string; readonly hits: number } | undefined
  for (const line of text.split(/\r?\n/, mostLines)) {
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
