import type { Example } from '@sibyl/plugin/host'
import { type OfflineCatalogEntry, wordingsOf } from './offline-catalog.ts'
import { type ReadText, readWords } from './read-words.ts'

/** Words that say nothing about what a person wants. */
const stopwords = new Set(
  `a about all also am an and any are as at be been but by can could did do does doing find for from get give go going had has
  have hello help hey hi how i if in into is it just know like let many may me might more morning much my need next no not now of off ok
  okay on or our out over please right shall should show so some tell than thank thanks that the their them then there these
  they thing this those to today tomorrow tonight too up us very want was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
)

/** The words of a text that carry its meaning, reduced to their stems. */
export const contentWords = ({ words }: ReadText): readonly string[] =>
  words.flatMap(word => word.norm.split(/[^\p{L}\p{N}]+/u)).flatMap(word => (isContent(word) ? [stem(word)] : []))

const isContent = (word: string): boolean => word.length > 1 && !stopwords.has(word)

const stem = (word: string): string => {
  if (word.length < 4) return word
  const bare = word
    .replace(/ies$/, 'y')
    .replace(/(?<=...)(?:ing|ed|ment|ly)$/, '')
    .replace(/(?<=..[^s])s$/, '')
    .replace(/e$/, '')
  return bare.replace(/([^aeiou])\1$/, '$1')
}

/** The weight of each part of the manifest. */
const weights = { example: 1, title: 0.9, tag: 0.9, whenToUse: 0.8, tool: 0.6, summary: 0.5 } as const

/** The words of one example and of what stands around it, with their weights. */
export interface ExampleWords {
  readonly wordings: readonly ReadonlySet<string>[]
  readonly weight: ReadonlyMap<string, number>
  /** Words that speak against the plugin. */
  readonly against: ReadonlySet<string>
}

const wordsOf = (text: string): readonly string[] =>
  contentWords(readWords(text.replace(/\{[A-Za-z_]\w*\}/g, ' ').replaceAll('_', ' ')))

/** Collects the words of an example and of its plugin's manifest. */
export const exampleWords = ({ name, manifest }: OfflineCatalogEntry, example: Example): ExampleWords => {
  const weight = new Map<string, number>()
  const add = (texts: readonly string[], by: number) => {
    for (const word of texts.flatMap(wordsOf)) weight.set(word, Math.max(by, weight.get(word) ?? 0))
  }
  add([manifest.summary], weights.summary)
  add([example.tool], weights.tool)
  add(manifest.whenToUse, weights.whenToUse)
  add(manifest.tags ?? [], weights.tag)
  add([manifest.title, name], weights.title)
  add(wordingsOf(example), weights.example)
  const against = (manifest.whenNotToUse ?? [])
    .flatMap(wordsOf)
    .filter(word => (weight.get(word) ?? 0) < weights.whenToUse)
  const wordings = wordingsOf(example).map(wording => new Set(wordsOf(wording)))
  return { wordings, weight, against: new Set(against) }
}

/** Words by how few plugins use them: a word that all use says little. */
export const wordValues = (plugins: readonly (readonly ExampleWords[])[]): ((word: string) => number) => {
  const uses = new Map<string, number>()
  for (const examples of plugins) {
    for (const word of new Set(examples.flatMap(({ weight }) => [...weight.keys()]))) {
      uses.set(word, (uses.get(word) ?? 0) + 1)
    }
  }
  return word => Math.log(1 + plugins.length / (uses.get(word) ?? 1))
}

/** From this score on a text counts as meant for an example. */
export const scoreThreshold = 0.5

/**
 * Scores how much of the meaning of a text an example covers, from 0 to about 1.1; the most similar wording breaks
 * ties.
 *
 * @param asked The content words of the text, without values such as names and numbers.
 */
export const scoreWords = (
  asked: readonly string[],
  { wordings, weight, against }: ExampleWords,
  worth: (word: string) => number,
): number => {
  const distinct = [...new Set(asked)].slice(0, 200)
  const total = distinct.reduce((sum, word) => sum + worth(word), 0)
  if (total === 0) return 0
  const signed = (word: string) => (against.has(word) ? -0.5 : (weight.get(word) ?? 0))
  const covered = distinct.reduce((sum, word) => sum + signed(word) * worth(word), 0)
  const likeness = wordings.map(own => (own.size === 0 ? 0 : distinct.filter(word => own.has(word)).length / own.size))
  return covered / total + 0.1 * Math.max(0, ...likeness)
}
