import { trimEdges } from './trim-edges.ts'

const closing = /[\s.,;:!?\u2026\u3002\uff01\uff1f\u3001\uff0c\uff1b\uff1a]/
const wraps: Readonly<Record<string, string | undefined>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u201e': '\u201c',
  '\u2018': '\u2019',
  '\u00ab': '\u00bb',
  '(': ')',
  '[': ']',
  '<': '>',
  '{': '}',
}
const anyQuote = /["\u201c\u201d\u201e\u00ab\u00bb]/g
const outerQuote = /^["\u201c\u201e\u00ab]|["\u201d\u00bb]$/

/** Whether values of this placeholder are the person's own words, to be kept as they are. */
export const isOwnWords = (placeholder: string): boolean =>
  /text|message|note|content|title|body|query|search|when|date|time|day|reason|description|prompt|code|question/i.test(
    placeholder,
  )

const now = /[\s,]+(?:right now|just now|now|today|currently|at the moment|please)$/i

/**
 * A value as a person means it: without closing punctuation, quotes and brackets around it, and in a short value
 * without a trailing 'today' or 'right now' where the placeholder is not about words or time. A JSON object stays as it is.
 *
 * @example cleanValue('“Berlin” right now?', 'city') // 'Berlin'
 */
export const cleanValue = (raw: string, placeholder: string): string => {
  let value = trimEdges(raw, /\s/, closing)
  if (isJsonObject(value)) return value
  for (let before: string | undefined; before !== value; ) {
    before = value
    value = unwrap(trimEdges(value, /\s/, closing))
    if (!isOwnWords(placeholder) && value.length <= 80) value = value.replace(now, '')
  }
  const strayQuote = value.match(anyQuote)?.length === 1
  return strayQuote ? value.replace(outerQuote, '').trim() : value
}

const isJsonObject = (value: string): boolean => {
  if (!value.startsWith('{') || !value.endsWith('}')) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const unwrap = (value: string): string => {
  const open = value[0]
  const inner = value.slice(1, -1)
  const wrapped = value.length > 2 && open !== undefined && wraps[open] === value.at(-1) && !inner.includes(open)
  return wrapped ? inner : value
}
