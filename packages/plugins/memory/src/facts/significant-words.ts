import { isSmall, rootOf } from '@sibyl/plugin'
import { searchWords } from '@sibyl/plugin/storage'

const languages = ['en', 'fr', 'sw'] as const

/** A word for comparison, and its stem for the index. */
export interface SignificantWord {
  readonly stem: string
  readonly root: string
}

/** Maximum number of indexed words of a fact. */
const maxWordsOfFact = 300

/** Returns the significant words of a fact in order; all words if none is significant. */
export const wordsOfFact = (text: string, tags: readonly string[]): readonly string[] => {
  const spoken = [text, ...tags].flatMap(searchWords)
  const significant = spoken.filter(word => !isSmall(word, languages))
  return (significant.length > 0 ? significant : spoken).slice(0, maxWordsOfFact)
}

/** Returns the stems of a fact's words for the index. */
export const rootsOf = (words: readonly string[]): readonly string[] => [...new Set(words.map(rootOf))]

/** Maximum length of a query or message that is read, in characters. */
const maxQuestion = 4_000
/** Maximum number of its words that are searched: those at its beginning and at its end. */
const maxWordsOfQuestion = 24

/** Returns the significant words of a query, one per stem; none if it only has stop words. */
export const wordsOfQuestion = (text: string): readonly SignificantWord[] => {
  const half = maxQuestion / 2
  const read = text.length <= maxQuestion ? text : `${text.slice(0, half)} ${text.slice(-half)}`
  const byRoot = new Map<string, SignificantWord>()
  for (const stem of searchWords(read)) {
    if (isSmall(stem, languages)) continue
    const root = rootOf(stem)
    if (!byRoot.has(root)) byRoot.set(root, { stem, root })
  }
  const words = [...byRoot.values()]
  const max = maxWordsOfQuestion / 2
  return words.length <= maxWordsOfQuestion ? words : [...words.slice(0, max), ...words.slice(-max)]
}
