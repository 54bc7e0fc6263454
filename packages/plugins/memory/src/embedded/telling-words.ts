import { searchWords } from '@sibyl/plugin/storage'
import { rootOf } from './root-of.ts'

/** Words that say nothing about a fact, in English, French and Swahili, and what contractions leave. */
const smallWords = new Set(
  `a about again all also am an and any anything are as at be been being but by can could d did do does doing don done
  everything find for from get give got had has have having he her hers him his how i if im in into is isn it its just
  know let ll m me mine my myself no not now of on or our ours please re remember remembered remind s say she should so
  some something t tell than thank that the their them then there these they thing this those to too us ve was we were
  what when where which who whom whose why will with would yes you your yours
  au aux avec ce ces cette dans de des du elle en est et il ils j je l la le les leur ma me mes moi mon ne notre nous on
  ou par pas pour qu que quel quelle qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y
  cha gani hii huyo ile ipi je kama katika kila ku kuhusu kwa kwenye la na ni pa wa wangu wapi ya yake yangu yeye za zangu`
    .split(/\s+/)
    .flatMap(searchWords),
)

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
  const telling = spoken.filter(word => !smallWords.has(word))
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
    if (smallWords.has(stem)) continue
    const root = rootOf(stem)
    if (!byRoot.has(root)) byRoot.set(root, { stem, root })
  }
  const words = [...byRoot.values()]
  const most = maxWordsOfQuestion / 2
  return words.length <= maxWordsOfQuestion ? words : [...words.slice(0, most), ...words.slice(-most)]
}
