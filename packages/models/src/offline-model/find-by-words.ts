import { fillArguments } from './fill-arguments.ts'
import { guessValues } from './guess-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { Candidate, ToolInput } from './offline-catalog.ts'
import { readWords } from './read-words.ts'
import { contentWords, scoreWords } from './score-words.ts'

/** An example that a text is near to by its words. */
export interface WordMatch {
  readonly candidate: Candidate
  readonly score: number
}

/** Names and numbers that no manifest mentions are values, not meaning: they are left out of the score. */
const askedWords = (text: string, knowledge: Knowledge): readonly string[] => {
  const read = readWords(text)
  const known = (word: string) => knowledge.examples.some(({ words }) => words.weight.has(word))
  const meaningful = read.words.filter((word, index) => {
    const looksLikeValue =
      /^\p{N}/u.test(word.norm) || (index > 0 && /^\p{Lu}/u.test(read.text.slice(word.start, word.end)))
    return !looksLikeValue || contentWords({ text: '', words: [word] }).some(known)
  })
  return contentWords({ text: read.text, words: meaningful })
}

/** Orders all examples by how much of the text's meaning they cover; one match a plugin and only those above 0. */
export const findByWords = (text: string, knowledge: Knowledge): readonly WordMatch[] => {
  const asked = askedWords(text, knowledge)
  if (asked.length === 0) return []
  const best = new Map<string, { index: number; score: number }>()
  knowledge.examples.forEach(({ entry, words }, index) => {
    const score = scoreWords(asked, words, knowledge.wordValue)
    if (score > (best.get(entry.name)?.score ?? 0)) best.set(entry.name, { index, score })
  })
  return [...best.values()]
    .toSorted((one, other) => other.score - one.score)
    .map(({ index, score }) => {
      const known = knowledge.examples[index]!
      const { entry, example } = known
      const input = knowledge.inputOf(entry, example.tool)
      const candidate = { entry, example, values: guessValues(text, known, input) }
      return { candidate: withoutUnfit(candidate, input), score }
    })
}

/** Drops guesses that the tool would not take, so that the values are asked for. */
const withoutUnfit = (candidate: Candidate, input: ToolInput | undefined): Candidate => {
  const filled = fillArguments(candidate, input)
  if ('args' in filled || filled.fault === undefined) return candidate
  const values = Object.fromEntries(Object.entries(candidate.values).filter(([name]) => name !== filled.ask))
  const unchanged = Object.keys(values).length === Object.keys(candidate.values).length
  return unchanged ? candidate : withoutUnfit({ ...candidate, values }, input)
}
