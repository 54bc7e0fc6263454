import { searchWords } from '@sibyl/plugin/storage'
import { entityIdOf } from '../records/entity-did.ts'
import type { SoughtWord } from './search-index.ts'

export interface SearchQuery {
  /** Words as a user types them; hostile. */
  readonly query: string
  readonly type?: string | undefined
  readonly protocol?: string | undefined
  readonly limit: number
}

/** A query, split into words. */
export interface SoughtText {
  /** Words without duplicates, at most ten. */
  readonly words: readonly SoughtWord[]
  /** Adjacent words written as one, such as 'cookstove' for 'cook stove', and the words that each stands for. */
  readonly joined: readonly { readonly word: string; readonly stands: readonly [number, number] }[]
}

const maxCharacters = 500
const maxWords = 10
/** Minimum length of a prefix search; shorter prefixes match too many words. */
const shortestPrefix = 3

/** Stop words, in English, Swahili and French. */
const smallWords = new Set(
  `a about all an and any are at by called can entities entity find for from get give has have i in is it list look me my
  named near not of on or our please registered registry show some that the their there these this to under what where
  which who with you
  au aux avec ce ces cette chez dans de des du en est et il je la le les leur ma mes moi mon montre nos ou par pour quel
  quelle quels quelles qui que sont sur trouve un une vos
  cha cho gani hii hizo huko humo iko ile ipi ipo kama katika kila ku kutoka kwa kwenye la ni nionyeshe na pa tafuta vya
  wa wapi ya yangu yetu yote za zangu zote ziko zipi`
    .split(/\s+/)
    .flatMap(searchWords),
)

/**
 * Parses a user's query. Any text is accepted; without letters and digits there are no words. The last word may be the
 * beginning of a longer one.
 */
export const readQuery = (query: string): SoughtText => {
  const text = query.slice(0, maxCharacters).trim()
  const spoken = searchWords(entityIdOf(text) ?? text)
  const significant = spoken.filter(word => !smallWords.has(word))
  const chosen = [...new Set(significant.length > 0 ? significant : spoken)].slice(0, maxWords)
  const last = spoken.at(-1)
  const words = chosen.map(word => ({ word, prefix: word === last && canBegin(word) }))
  const joined = chosen.slice(1).map((word, index) => {
    const stands: readonly [number, number] = [index, index + 1]
    return { word: `${chosen[index]}${word}`, stands }
  })
  return { words, joined: joined.filter(({ word }) => !chosen.includes(word)) }
}

const canBegin = (word: string): boolean => word.length >= shortestPrefix || /^[^\x20-\x7e]/.test(word)
