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

/** Whether values of this placeholder are programs, in which every character counts. */
export const isCode = (placeholder: string): boolean => /^(code|source|script|program|snippet)$/i.test(placeholder)

/** Characters that end a sentence, but not a program. */
const sentenceEnd = /[\s.,?\u2026]/

const fence = '```'

/** A program as it was written, without the fence of a block or the marks of a span of Markdown around it. */
const cleanCode = (raw: string): string => {
  const code = raw.trim()
  if (code.startsWith(fence) && code.endsWith(fence) && code.length > 2 * fence.length) {
    const inner = code.slice(fence.length, -fence.length)
    return inner.replace(/^[\w+-]*[ \t]*\r?\n/, '').trimEnd()
  }
  const inner = code.slice(1, -1)
  if (code.startsWith('`') && code.endsWith('`') && inner !== '' && !inner.includes('`')) return inner
  return trimEdges(code, undefined, sentenceEnd)
}

/**
 * A value as a person means it: without closing punctuation, quotes and brackets around it, and in a short value
 * without a trailing 'today' or 'right now' where the placeholder is not about words or time. A JSON object stays as it is,
 * and so does a program.
 *
 * @example cleanValue('“Berlin” right now?', 'city') // 'Berlin'
 */
export const cleanValue = (raw: string, placeholder: string): string => {
  if (isCode(placeholder)) return cleanCode(raw)
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
