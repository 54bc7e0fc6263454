import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { Candidate } from './offline-catalog.ts'
import { plainText, renderInline, renderResult } from './render-value.ts'

export interface AnswerFacts {
  readonly candidate: Candidate
  /** The arguments of the call. */
  readonly args: unknown
  readonly result: LanguageModelV4ToolResultOutput
}

const maxAnswer = 4_000

/** Words a tool's result: by the example's `answer`, else plainly; refusals and errors as what they are. */
export const wordAnswer = ({ candidate, args, result }: AnswerFacts): string => {
  const text = wordResult(candidate, args, result)
  return text.length > maxAnswer ? `${text.slice(0, maxAnswer)}…` : text
}

const wordResult = (candidate: Candidate, args: unknown, result: LanguageModelV4ToolResultOutput): string => {
  switch (result.type) {
    case 'execution-denied':
      return denied(result.reason)
    case 'error-text':
      return wordFailure(result.value)
    case 'error-json':
      return wordFailure(failureText(result.value))
    case 'content': {
      const texts = result.value.flatMap(part => (part.type === 'text' ? [part.text] : []))
      return wordOutput(candidate, args, texts.join('\n'))
    }
    default:
      return wordOutput(candidate, args, result.value)
  }
}

const denied = (reason: string | undefined): string => {
  const because = reason === undefined || reason.trim() === '' ? '' : ` (${plainText(reason.trim())})`
  return `You did not allow that${because}, so it was not done.`
}

/** The class of an error in front of its text, such as 'CityUnknown: '. */
const errorName = /^(?:Error|[A-Z][a-z\d]+(?:[A-Z]\w*)+): /

/** Words a failed call without more than its own text says. */
export const wordFailure = (failure: string): string => {
  const text = plainText(failure).trim().replace(errorName, '')
  if (/^tool (?:call )?execution denied\.?$/i.test(text) || /^denied\.?$/i.test(text)) return denied(undefined)
  if (/outcome unknown|effects (?:until then )?are unknown|is not known/i.test(text))
    return `I cannot say whether that was done. ${text}`
  if (/(?:requires?|needs?) (?:the approval of a user|an approval|your approval|a person|a user)/i.test(text))
    return `That was not done. ${text}`
  return text === '' ? 'That did not work, and no reason was given.' : `That did not work. ${text}`
}

const failureText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  for (const name of ['message', 'detail', 'error', 'text']) {
    const inner: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    if (typeof inner === 'string') return inner
  }
  return renderInline(value)
}

const wordOutput = (candidate: Candidate, args: unknown, output: unknown): string => {
  const { answer } = candidate.example
  const worded = answer === undefined ? '' : fillAnswer(answer, [output, args, candidate.values])
  return worded === '' ? renderResult(output) : worded
}

/**
 * Fills an answer's placeholders from the first source that has them. A sentence with a value that none has is left
 * out, and one that a value has ended already has no second full stop. What is filled in is never read as a template.
 *
 * @returns The filled sentences; '' when none is left.
 */
export const fillAnswer = (answer: string, sources: readonly unknown[]): string =>
  answer
    .split(/(?<=[.!?])(?=\s+)/)
    .map(sentence => fillSentence(sentence, sources))
    .join('')
    .trim()

const fillSentence = (sentence: string, sources: readonly unknown[]): string => {
  let missing = false
  const filled = sentence.replace(/\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}(\.?)/g, (_, path: string, stop: string) => {
    const value = lookup(path.split('.'), sources)
    if (value === undefined) missing = true
    const words = renderInline(value)
    return /[.!?\u2026]$/.test(words) ? words : words + stop
  })
  return missing ? '' : filled
}

const lookup = (path: readonly string[], sources: readonly unknown[]): unknown => {
  const found = sources.map(source => reach(source, path)).filter(value => value !== undefined && value !== null)
  const isPlain = (value: unknown) => typeof value !== 'object'
  return (path.length === 1 ? found.find(isPlain) : undefined) ?? found[0]
}

const reach = (value: unknown, path: readonly string[]): unknown => {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}
