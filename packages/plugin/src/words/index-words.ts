import { searchWords } from '@sibyl/storage'
import { rootOf } from './root-of.ts'
import { smallWords, type WordLanguage } from './small-words.ts'

/** Options of `indexWords`. */
export interface IndexWordsOptions {
  /** Languages whose small words are left out, unless a text has no others. @default none */
  readonly languages?: readonly WordLanguage[]
  /**
   * `plural`: a word and its plural are the same, in English and French. `root`: English words and their relatives are the same,
   * such as 'work', 'worked' and 'worker'. @default 'plural'
   */
  readonly stem?: 'plural' | 'root'
}

/** Returns the words of text in order, as an index compares them: in lower case, without diacritics and endings. */
export const indexWords = (
  text: string,
  { languages = [], stem = 'plural' }: IndexWordsOptions = {},
): readonly string[] => {
  const all = searchWords(text)
  const significant = languages.length === 0 ? all : all.filter(word => !isSmall(word, languages))
  const words = significant.length > 0 ? significant : all
  return stem === 'root' ? words.map(rootOf) : words
}

/** Returns whether a word of `indexWords` with stem `plural` says nothing about what a text is about. */
export const isSmall = (word: string, languages: readonly WordLanguage[]): boolean =>
  languages.some(language => compared[language].has(word))

/** The small words as `searchWords` returns them. */
const compared: Readonly<Record<WordLanguage, ReadonlySet<string>>> = {
  en: new Set(smallWords.en.flatMap(searchWords)),
  fr: new Set(smallWords.fr.flatMap(searchWords)),
  sw: new Set(smallWords.sw.flatMap(searchWords)),
}
