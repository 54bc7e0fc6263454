import type { JsonValue } from '@sibyl/protocol'
import type { QuestionField } from './question-fields.ts'

/** The parsed input for a member of an answer: its value, undefined if it is skipped, or the error. */
type FieldAnswer = { readonly value: JsonValue | undefined } | { readonly fault: string }

/** Parses the input for a member without choices. */
export const readFieldAnswer = (field: QuestionField, typed: string): FieldAnswer => {
  const text = typed.trim()
  if (text === '') return field.required ? { fault: 'A value is required.' } : { value: undefined }
  switch (field.kind) {
    case 'number':
    case 'integer':
      return readNumber(field, text)
    case 'list':
      return readList(field, text)
    default:
      return readText(field, text)
  }
}

const readNumber = ({ kind, least, max }: QuestionField, text: string): FieldAnswer => {
  const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) return { fault: 'Type a number, such as 3.' }
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { fault: 'Type a whole number, such as 3.' }
  if (least !== undefined && value < least) return { fault: `At least ${least}.` }
  if (max !== undefined && value > max) return { fault: `At most ${max}.` }
  return { value }
}

const readText = ({ format, least, max }: QuestionField, text: string): FieldAnswer => {
  if (least !== undefined && text.length < least) return { fault: `At least ${least} characters.` }
  if (max !== undefined && text.length > max) return { fault: `At most ${max} characters.` }
  const expected = formats.find(([name, fits]) => name === format && !fits(text))
  return expected ? { fault: `Type ${expected[2]}.` } : { value: text }
}

const readList = ({ choices }: QuestionField, text: string): FieldAnswer => {
  const items = text.split(',').flatMap(item => item.trim() || [])
  if (choices.length === 0) return { value: items }
  const found = items.map(item =>
    choices.find(({ value, label }) => [label, String(value)].some(name => name.toLowerCase() === item.toLowerCase())),
  )
  const unknown = items.find((_, index) => !found[index])
  if (unknown === undefined) return { value: found.flatMap(choice => choice?.value ?? []) }
  return { fault: `Choose of: ${choices.map(({ label }) => label).join(', ')}.` }
}

const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The validated formats, with their descriptions. */
const formats: readonly (readonly [string, (text: string) => boolean, string])[] = [
  ['email', text => /^[^\s@]+@[^\s@]+$/.test(text), 'an e-mail address, such as ada@example.org'],
  ['uri', text => URL.canParse(text), 'an address, such as https://example.org'],
  ['date', isDay, 'a day, such as 2026-12-01'],
  [
    'date-time',
    text => isDay(text.slice(0, 10)) && /^.{10}T\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    'a time, such as 2026-12-01T14:30:00Z',
  ],
]

/** Returns an example of a format; undefined for an unknown one. */
export const formatHint = (format: string | undefined): string | undefined =>
  formats.find(([name]) => name === format)?.[2]
