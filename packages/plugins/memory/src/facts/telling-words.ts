import { isSmall, rootOf } from '@sibyl/plugin'
import { searchWords } from '@sibyl/plugin/storage'

const languages = ['en', 'fr', 'sw'] as const

/** A word as it is compared, and what it is looked up by. */
export interface TellingWord {
  readonly stem: string
  readonly root: string
}

/** Most words of a fact that count. */
const maxWordsOfFact = 300

/** The words of a fact in their order; all of them where none tells anything. */
export const wordsOfFact = (text: string, tags: readonly string[]): readonly string[] => {
  const spoken = [text, ...tags].flatMap(searchWords)
  const telling = spoken.filter(word => !isSmall(word, languages))
  return (telling.length > 0 ? telling : spoken).slice(0, maxWordsOfFact)
}

/** What the index has of a fact's words. */
export const rootsOf = (words: readonly string[]): readonly string[] => [...new Set(words.map(rootOf))]

/** Largest part of a question or message that is read, in characters. */
const maxQuestion = 4_000
/** Most of its words that are looked up: those at its beginning, and those at its end. */
const maxWordsOfQuestion = 24

/** The telling words of a question, each root once; none where it has only small words. */
export const wordsOfQuestion = (text: string): readonly TellingWord[] => {
  const half = maxQuestion / 2
  const read = text.length <= maxQuestion ? text : `${text.slice(0, half)} ${text.slice(-half)}`
  const byRoot = new Map<string, TellingWord>()
  for (const stem of searchWords(read)) {
    if (isSmall(stem, languages)) continue
    const root = rootOf(stem)
    if (!byRoot.has(root)) byRoot.set(root, { stem, root })
  }
  const words = [...byRoot.values()]
  const most = maxWordsOfQuestion / 2
  return words.length <= maxWordsOfQuestion ? words : [...words.slice(0, most), ...words.slice(-most)]
}
