import { searchWords } from '@sibyl/storage'

/** Languages whose small words are known. */
export type WordLanguage = 'en' | 'fr' | 'sw'

/** Returns whether a word of `searchWords` says nothing about what a text is about. */
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
