import { cleanValue, isOwnWords } from './clean-value.ts'
import { coerceValue } from './coerce-value.ts'
import { guessValues } from './guess-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { Candidate, JsonSchema } from './offline-catalog.ts'
import { readWords } from './read-words.ts'
import { contentWords } from './score-words.ts'
import { isAgreement, isRefusal, smallTalk } from './small-talk.ts'
import { type Intent, resolve, understand, understandExactly } from './understand.ts'

/** A question that the model asked and that waits for its reply. */
export type Question = Extract<Intent, { kind: 'ask-value' | 'ask-which' | 'confirm' }>

/** Makes out what a text means as the reply to a question; a text that fits a wording is a new request. */
export const resumeReply = (text: string, question: Question, knowledge: Knowledge): Intent => {
  const fresh = understandExactly(text, knowledge)
  if (fresh) return fresh
  if (question.kind === 'confirm') return resumeConfirmation(text, question.candidate, knowledge)
  if (question.kind === 'ask-which') return resumeChoice(text, question.candidates, knowledge)
  const ownWords = takesOwnWords(question)
  if (isRefusal(text) && (takesText(question.schema) || 'expected' in coerceValue(text.trim(), question.schema))) {
    return { kind: 'cancelled' }
  }
  if (!ownWords && (smallTalk(text) || text.trim().endsWith('?'))) {
    const other = understand(text, knowledge)
    if (other.kind !== 'unknown') return other
  }
  // A yes answers no question for a value; the values given so far stay.
  if (!ownWords && isAgreement(text) && takesText(question.schema)) return question
  return resumeValue(text, question, knowledge)
}

const resumeConfirmation = (text: string, candidate: Candidate, knowledge: Knowledge): Intent => {
  if (isAgreement(text)) return resolve({ ...candidate, unsure: false }, knowledge)
  return isRefusal(text) ? { kind: 'cancelled' } : understand(text, knowledge)
}

const resumeChoice = (text: string, candidates: readonly Candidate[], knowledge: Knowledge): Intent => {
  const chosen = negation.test(text) ? undefined : chooseBy(text, candidates)
  if (chosen) return resolve(chosen, knowledge)
  return isRefusal(text) ? { kind: 'cancelled' } : understand(text, knowledge)
}

/** A reply that rules something out names no choice. */
const negation = /\b(?:no|not|never|neither|none|nor)\b|n['\u2019]t\b/i

const ordinals = [
  ['1', 'first', 'former', 'one', '1st'],
  ['2', 'second', 'two', '2nd'],
  ['3', 'third', 'three', '3rd'],
]

/** The candidate that a reply names: by yes, by number, or by words that only its plugin has. */
const chooseBy = (text: string, candidates: readonly Candidate[]): Candidate | undefined => {
  if (candidates.length === 1) return isAgreement(text) ? candidates[0] : undefined
  const read = readWords(text)
  if (read.words.length > 12) return undefined
  const names = ({ entry }: Candidate) =>
    contentWords(readWords(`${entry.manifest.title} ${entry.name.replace(/[-_]/g, ' ')}`))
  const texts = new Set(contentWords(read))
  const hits = candidates.map(candidate => names(candidate).filter(name => texts.has(name)).length)
  const max = Math.max(...hits)
  if (max > 0 && hits.filter(count => count === max).length === 1) return candidates[hits.indexOf(max)]
  if (read.words.length > 4) return undefined
  const numbered = candidates.filter((_, index) => read.words.some(word => ordinals[index]?.includes(word.norm)))
  const byPlace = read.words.some(word => word.norm === 'last' || word.norm === 'latter')
    ? candidates.slice(-1)
    : numbered
  return byPlace.length === 1 || read.words.at(-1)?.norm === 'one' ? byPlace.at(-1) : undefined
}

type ValueQuestion = Extract<Intent, { kind: 'ask-value' }>

const withValue = ({ candidate, placeholder }: ValueQuestion, value: string): Candidate => ({
  ...candidate,
  values: { ...candidate.values, [placeholder]: value },
})

const takesText = (schema: JsonSchema | undefined): boolean => schema?.enum === undefined && schema?.type !== 'boolean'

const takesOwnWords = ({ schema, placeholder }: ValueQuestion): boolean => takesText(schema) && isOwnWords(placeholder)

const leading =
  /^(?:(?:it is|it's|its|that is|that's|i mean|i meant|make it|let's say|say|use|take|for|in|at|to|about|with|of|from|on|maybe|please|just|the)\s+)+/i

const resumeValue = (text: string, question: ValueQuestion, knowledge: Knowledge): Intent => {
  const { candidate, placeholder } = question
  const exact = cleanValue(text, placeholder)
  if (takesOwnWords(question)) return resolve(withValue(question, exact), knowledge)
  const bare = cleanValue(exact.slice(0, 200).replace(leading, '') + exact.slice(200), placeholder)
  const known = knowledge.examples.find(one => one.entry === candidate.entry && one.example === candidate.example)
  const guessed = known && guessValues(text, known, knowledge.inputOf(candidate.entry, candidate.example.tool))
  for (const value of new Set([guessed?.[placeholder], bare, exact])) {
    if (value === undefined || value === '') continue
    const intent = resolve(withValue(question, value), knowledge)
    if (intent.kind !== 'ask-value' || intent.placeholder !== placeholder) return intent
  }
  return exact === '' ? question : resolve(withValue(question, bare === '' ? exact : bare), knowledge)
}
