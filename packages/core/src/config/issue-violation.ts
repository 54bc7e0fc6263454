import type { z } from 'zod'
import { describeValue, type ExpectedKind } from '../errors/describe-value.ts'

/** The expected value, and the kind by which the actual value is described. */
interface Expectation {
  readonly text: string
  readonly kind?: ExpectedKind
}

/**
 * Describes the error of a setting: the expected value, and the actual one if it is a number or one word and no secret;
 * otherwise its kind.
 *
 * @example "not a URL (got 11 characters, no scheme)"
 * @example "expected celsius or fahrenheit (got kelvin)"
 */
export const issueViolation = (issue: z.core.$ZodIssue, value: unknown, isSecret = false): string => {
  if (value === undefined) return 'is not set'
  const { text, kind } = expectation(issue, value)
  if (typeof value === 'object') return text
  return `${text} (got ${!isSecret && isPlain(value) ? value : describeValue(value, kind)})`
}

/** Returns whether a value cannot be a key or password in the wrong place: a number, or one word of letters. */
const isPlain = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[+-]?\d{1,9}(?:\.\d{1,6})?|[a-z]{1,12})$/i.test(value)

const expectation = (issue: z.core.$ZodIssue, value: unknown): Expectation => {
  if (isOwnMessage(issue)) return { text: withoutValue(issue.message, value) }
  switch (issue.code) {
    case 'invalid_type':
      return typeExpectation(issue.expected)
    case 'invalid_format':
      return formatExpectation(issue.format, value)
    case 'invalid_value':
      return { text: `expected ${alternatives(issue)}` }
    case 'too_small':
      return limitExpectation('at least', issue.minimum, issue.origin)
    case 'too_big':
      return limitExpectation('at most', issue.maximum, issue.origin)
    case 'not_multiple_of':
      return { text: `not a multiple of ${issue.divisor}`, kind: 'number' }
    case 'invalid_union':
      return unionExpectation(issue, value)
    default:
      return { text: 'not in the required format' }
  }
}

/** Returns whether the author of the schema wrote the message, not zod. */
const isOwnMessage = ({ code, message }: z.core.$ZodIssue): boolean =>
  code === 'custom' ? message !== 'Invalid input' : !/^(Invalid|Too (small|big))\b/.test(message)

const isNumeric = (type: string) => ['number', 'int', 'bigint'].includes(type)
const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

const typeExpectation = (expected: string): Expectation => {
  if (expected === 'number') return { text: 'not a number', kind: 'number' }
  if (isNumeric(expected)) return { text: 'not a whole number', kind: 'number' }
  return { text: `not ${article(expected === 'string' ? 'text' : expected)}` }
}

const formatExpectation = (format: string, value: unknown): Expectation => {
  if (format === 'url') {
    const isUrl = typeof value === 'string' && URL.canParse(value)
    return { text: isUrl ? 'not a URL of an accepted kind' : 'not a URL', kind: 'url' }
  }
  return { text: format === 'regex' ? 'not in the required format' : `not ${article(format)}` }
}

const alternatives = (issue: z.core.$ZodIssueInvalidValue): string => {
  if ('expected' in issue && issue.expected === 'stringbool') return 'true or false'
  const values = issue.values.slice(0, 12).map(String)
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

const limitExpectation = (bound: 'at least' | 'at most', amount: number | bigint, origin: string): Expectation => {
  if (isNumeric(origin)) return { text: `expected ${bound} ${amount}`, kind: bound === 'at least' ? 'less' : 'more' }
  return { text: `expected ${bound} ${amount} ${origin === 'string' ? 'characters' : 'entries'}` }
}

const unionExpectation = (issue: z.core.$ZodIssueInvalidUnion, value: unknown): Expectation => {
  const branches = issue.errors.flatMap(([first]) => (first ? [expectation(first, value)] : []))
  const texts = [...new Set(branches.map(({ text }) => text))]
  const kind = branches.find(branch => branch.kind)?.kind
  return { text: texts.join(', and ') || 'not in an accepted format', ...(kind ? { kind } : {}) }
}

/** Redacts the value from a message. */
const withoutValue = (message: string, value: unknown): string =>
  typeof value === 'string' && value.length > 2 ? message.replaceAll(value, '…') : message
