import { cleanText, hasUnsafeText } from '@sibyl/plugin'
import { escapeUnsafe } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'

/** The longest sentence, in characters. */
const maxSentence = 1_000

/**
 * Returns the question whether a call may run: the sentence of the tool in one line, and below it every argument in full, also
 * those that the sentence names. Invisible characters are escaped, and a line of a text cannot be taken for another argument.
 */
export const approvalQuestion = (sentence: string, input: JsonValue): string => {
  const line = escapeUnsafe(sentence.replace(/\s+/g, ' ').trim())
  const given = argumentsText(input)
  return `${cleanText(line, { maxLength: maxSentence })}${given === '' ? '' : `\n\n${given}`}`
}

/** Returns whether a question shows exactly these arguments. */
export const showsArguments = (question: string, input: JsonValue): boolean =>
  (/\n\n(.*)$/s.exec(question)?.[1] ?? '') === argumentsText(input)

/** Returns the arguments with which a call runs: those that the schema returned, or the given ones if JSON cannot show these. */
export const shownInput = (given: unknown, input: unknown): JsonValue => {
  try {
    return JSON.parse(JSON.stringify(input ?? null, onlyJson)) as JsonValue
  } catch {
    return JSON.parse(JSON.stringify(given ?? null)) as JsonValue
  }
}

/** Throws for an object that JSON shows without its content, such as a map. */
const onlyJson = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return value
  throw new TypeError('not JSON')
}

const argumentsText = (input: JsonValue): string => {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const members = isObject ? Object.entries(input) : [['input', input] as const]
  return members.map(([name, value]) => `${nameText(name)}:${valueText(value)}`).join('\n')
}

const nameText = (name: string): string => (/^[\w-]+$/.test(name) ? name : escapeUnsafe(JSON.stringify(name)))

/** A text of several lines stays readable: each line has a mark before it. */
const valueText = (value: JsonValue): string => {
  if (typeof value === 'string' && value.includes('\n') && !hasUnsafeText(value, { lines: true })) {
    return value
      .split(/\r\n|[\r\v\f\u0085\u2028\u2029\n]/)
      .map(line => `\n  | ${line}`)
      .join('')
  }
  return ` ${escapeUnsafe(JSON.stringify(value))}`
}
