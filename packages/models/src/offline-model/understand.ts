import { isOwnWords } from './clean-value.ts'
import { fillArguments } from './fill-arguments.ts'
import { equallyGood, findByTemplate, type TemplateMatch } from './find-by-template.ts'
import { findByWords } from './find-by-words.ts'
import type { Knowledge } from './knowledge.ts'
import type { Candidate, JsonSchema } from './offline-catalog.ts'
import { scoreThreshold } from './score-words.ts'
import { smallTalk } from './small-talk.ts'
import { askAgain, askConfirm, askValue, askWhich } from './word-question.ts'

/** The intent of the user, as far as the model recognizes it. */
export type Intent =
  | { readonly kind: 'call'; readonly candidate: Candidate; readonly args: Readonly<Record<string, unknown>> }
  /** A value is missing or does not fit. */
  | {
      readonly kind: 'ask-value'
      readonly candidate: Candidate
      readonly placeholder: string
      readonly schema: JsonSchema | undefined
      readonly question: string
    }
  /** A write that was only nearly asked for, with all its values. */
  | { readonly kind: 'confirm'; readonly candidate: Candidate; readonly question: string }
  /** Several plugins are equally near, or a single one is near but not sure. */
  | { readonly kind: 'ask-which'; readonly candidates: readonly Candidate[]; readonly question: string }
  | { readonly kind: 'greet' | 'identify' | 'introduce' | 'thanks' | 'cancelled' }
  /** Nothing fits; the nearest examples. */
  | { readonly kind: 'unknown'; readonly near: readonly Candidate[] }

/** Scores nearer to each other than this count as equal. */
const tieMargin = 0.1

/** Maximum plugins in a question or suggestion. */
const maxChoices = 3

/**
 * Makes out what a text on its own asks for: by a wording that fits it, else by its words. A wording of small words alone
 * counts where its words lead to the same plugin, or nowhere.
 */
export const understand = (text: string, knowledge: Knowledge): Intent => {
  const matches = findByTemplate(text, knowledge)
  const [best] = matches
  if (best && best.level > 0) return among(equallyGood(matches), knowledge)

  const talk = smallTalk(text)
  if (talk) return { kind: talk }

  const near = findByWords(text, knowledge)
  const top = near[0]
  if (top && top.score >= scoreThreshold) {
    const close = near.filter(match => top.score - match.score < tieMargin).map(match => guessed(match.candidate))
    const worded = matches.find(({ candidate }) => candidate.entry === top.candidate.entry)
    if (close.length > 1) return which(close)
    return worded ? resolve(guessed(worded.candidate), knowledge) : nearly(guessed(top.candidate), knowledge)
  }
  if (best) return among(equallyGood(matches), knowledge)
  return { kind: 'unknown', near: near.slice(0, maxChoices).map(match => match.candidate) }
}

/** A full match in a text, such as a new request instead of the answer to a question. */
export const understandExactly = (text: string, knowledge: Knowledge): Intent | undefined => {
  const matches = findByTemplate(text, knowledge)
  return matches[0]?.level === 2 ? among(equallyGood(matches), knowledge) : undefined
}

const among = (matches: readonly TemplateMatch[], knowledge: Knowledge): Intent => {
  const candidates = matches.map(({ candidate, level }) =>
    level < 2 || hasDoubtfulValue(candidate) ? guessed(candidate) : candidate,
  )
  return candidates.length === 1 ? resolve(candidates[0]!, knowledge) : which(candidates)
}

const guessed = (candidate: Candidate): Candidate => ({ ...candidate, unsure: true })

/** Words that belong to the request and not to a name: 'Ada tomorrow', 'Ada and 3 to Bob', 'Ada. No, wait'. */
const besideNames =
  /[.!?\n]\s+\S|\b(?:tomorrow|tonight|yesterday|later|then|if|unless|because|but|not|never|instead|and \d)\b/i

/** Placeholders of whole sentences. */
const sentences = /^(?:what|data|input)$/i

const hasDoubtfulValue = ({ values }: Candidate): boolean =>
  Object.entries(values).some(([name, value]) => !isOwnWords(name) && !sentences.test(name) && besideNames.test(value))

/** A likeness of words: a write that lacks a value is asked about before its values are. */
const nearly = (candidate: Candidate, knowledge: Knowledge): Intent => {
  const intent = resolve(candidate, knowledge)
  const writes = knowledge.writes(candidate.entry, candidate.example.tool)
  return intent.kind === 'ask-value' && writes ? which([candidate]) : intent
}

const which = (candidates: readonly Candidate[]): Intent => {
  const shown = candidates.slice(0, maxChoices)
  return { kind: 'ask-which', candidates: shown, question: askWhich(shown) }
}

/** The call of a candidate, the question for the value that it lacks, or the one whether an unsure write is meant. */
export const resolve = (candidate: Candidate, knowledge: Knowledge): Intent => {
  const filled = fillArguments(candidate, knowledge.inputOf(candidate.entry, candidate.example.tool))
  if ('args' in filled) {
    const asks = candidate.unsure === true && knowledge.writes(candidate.entry, candidate.example.tool)
    return asks
      ? { kind: 'confirm', candidate, question: askConfirm(candidate) }
      : { kind: 'call', candidate, args: filled.args }
  }
  const question = askValue(filled.ask, filled.schema)
  const given = candidate.values[filled.ask]
  return {
    kind: 'ask-value',
    candidate,
    placeholder: filled.ask,
    schema: filled.schema,
    question: filled.fault !== undefined && given !== undefined ? askAgain(given, filled.fault, question) : question,
  }
}
