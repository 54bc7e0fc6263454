import { searchWords } from '@sibyl/storage'
import { rootOf } from './root-of.ts'

/** Languages whose small words are known. */
export type WordLanguage = 'en' | 'fr' | 'sw'

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
  languages.some(language => smallWords[language].has(word))

/** Words that say nothing about what a text is about, and what contractions leave. */
const smallWords: Readonly<Record<WordLanguage, ReadonlySet<string>>> = {
  en: new Set(
    searchWords(`a about again all also am an and any anything are as at be been being but by can could d did do does doing don done
    everything find for from get give got had has have having he her hers him his how i if im in into is isn it its just
    know let ll m me mine my myself no not now of on or our ours please re remember remembered remind s say she should so
    some something t tell than thank that the their them then there these they thing this those to too us ve was we were
    what when where which who whom whose why will with would yes you your yours`),
  ),
  fr: new Set(
    searchWords(`au aux avec ce ces cette dans de des du elle en est et il ils j je l la le les leur ma me mes moi mon ne notre nous
    on ou par pas pour qu que quel quelle qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y`),
  ),
  sw: new Set(
    searchWords(`cha gani hii huyo ile ipi je kama katika kila ku kuhusu kwa kwenye la na ni pa wa wangu wapi ya yake yangu yeye za
    zangu`),
  ),
}
