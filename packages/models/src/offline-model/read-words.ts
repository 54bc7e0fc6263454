import { trimEdges } from './trim-edges.ts'

/** A word of a text: how it compares with others, and where it stands. */
export interface Word {
  /** Lower case, without diacritics, hyphens and surrounding punctuation. */
  readonly norm: string
  readonly start: number
  readonly end: number
}

/** A text cut into words. */
export interface ReadText {
  readonly text: string
  readonly words: readonly Word[]
}

const short = new Map([
  ['s', 'is'],
  ['re', 'are'],
  ['m', 'am'],
  ['ll', 'will'],
  ['ve', 'have'],
  ['d', 'would'],
])

/** Contractions that people type without the apostrophe, or whose parts change. */
const joined = new Map([
  ['whats', ['what', 'is']],
  ['wheres', ['where', 'is']],
  ['whens', ['when', 'is']],
  ['hows', ['how', 'is']],
  ['whos', ['who', 'is']],
  ['thats', ['that', 'is']],
  ['theres', ['there', 'is']],
  ['im', ['i', 'am']],
  ['lets', ['let', 'us']],
  ['dont', ['do', 'not']],
  ['doesnt', ['does', 'not']],
  ['didnt', ['did', 'not']],
  ['isnt', ['is', 'not']],
  ['cant', ['can', 'not']],
  ['cannot', ['can', 'not']],
  ['wont', ['will', 'not']],
])

/** Lower case without diacritics, hyphens and apostrophes. */
const normalize = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}|['\-\u2010-\u2015]/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()

/** Characters around a word; unpaired surrogates count as letters. */
const edge = /[^\p{L}\p{N}\ud800-\udfff]/u

/** Cuts a text into words; "what's" and "whats" are both `what` and `is`. Places refer to the text as given. */
export const readWords = (text: string): ReadText => {
  const words: Word[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const chunk = match[0].replace(/[\u2018\u2019\u02bc`\u00b4]/g, "'")
    words.push(...chunkWords(chunk, match.index))
  }
  return { text, words }
}

const chunkWords = (chunk: string, start: number): Word[] => {
  const end = start + chunk.length
  const alone = /^'(s|re|m|ll|ve|d)\b/i.exec(chunk)
  if (alone) return [{ norm: short.get(alone[1]!.toLowerCase())!, start, end }]
  const core = trimEdges(chunk, edge, edge)
  if (core === '') return /[^\p{P}]/u.test(chunk) ? [{ norm: chunk.normalize('NFKC').toLowerCase(), start, end }] : []

  const norm = normalize(core)
  const parts = joined.get(norm)
  if (parts) return parts.map(part => ({ norm: part, start, end }))
  const contracted = /^(.+?)(n't|'(?:s|re|m|ll|ve|d))$/i.exec(core)
  if (!contracted) return norm === '' ? [] : [{ norm, start, end }]
  const [, head = '', tail = ''] = contracted
  const cut = start + chunk.indexOf(core) + head.length
  const tailNorm = tail.toLowerCase() === "n't" ? 'not' : short.get(tail.slice(1).toLowerCase())!
  return [
    { norm: normalize(head), start, end: cut },
    { norm: tailNorm, start: cut, end },
  ]
}
