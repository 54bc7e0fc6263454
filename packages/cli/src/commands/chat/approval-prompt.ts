import { isCancel, select } from '@clack/prompts'
import type { Decision } from '@sibyl/client'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { Asker, Choice } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ApprovalQuestion } from './chat-view.ts'
import type { Answer } from './conversation.ts'
import { type QuestionField, questionFields, requiredNames } from './question-fields.ts'

/**
 * Asks the user the question of a tool, or for approval.
 *
 * @returns undefined when the user skips it
 */
export const askPerson = async (io: CommandIo, { asks }: ApprovalQuestion): Promise<Answer | undefined> => {
  if (asks) return askAnswer(clackAsker(io, io.stdout, false), asks.schema)
  const decision = await askApproval(io)
  return decision && { decision }
}

/**
 * Asks the user whether a tool may run. The safe answer is preselected, so that an accidental Enter allows nothing.
 *
 * @returns undefined when the user cancels
 */
const askApproval = async (io: CommandIo): Promise<Decision | undefined> => {
  const answer = await select<Decision>({
    message: 'Allow it?',
    options: [
      { value: 'once', label: 'allow once' },
      { value: 'session', label: 'in this session', hint: 'always allow this tool' },
      { value: 'deny', label: 'no' },
    ],
    initialValue: 'deny',
    withGuide: false,
    input: io.stdin,
    output: io.stdout,
  })
  return isCancel(answer) ? undefined : answer
}

/**
 * Returns the answer of `--approve` to a question. Undefined without it, and for questions that only a user can answer.
 */
export const approvedAnswer = (approve: Decision | undefined, { asks }: ApprovalQuestion): Answer | undefined => {
  if (approve === undefined) return undefined
  return asks && approve !== 'deny' ? defaultAnswer(asks.schema) : { decision: approve }
}

/**
 * Asks the user the question of a tool, member by member.
 *
 * @param schema JSON Schema of the answer; without one, yes or no is enough.
 * @returns undefined when the user skips it
 */
export const askAnswer = async (asker: Asker, schema: JsonObject | undefined): Promise<Answer | undefined> => {
  const fields = questionFields(schema)
  try {
    const choices = fields.length === 0 ? [yes, no] : [answer, refuse]
    const safe = fields.length === 0 ? no : answer
    if (!(await asker.select(fields.length === 0 ? 'Your answer?' : 'Answer it?', choices, safe.value))) {
      return { decision: 'deny' }
    }
    const members: [string, JsonValue | undefined][] = []
    for (const field of fields) members.push([field.name, await askField(asker, field)])
    return accepted(schema, members)
  } catch (error) {
    if (cliErrors.interrupted.is(error)) return undefined
    throw error
  }
}

/** Returns the answer that needs no input: yes, with the defaults. Undefined if a value is required. */
export const defaultAnswer = (schema: JsonObject | undefined): Answer | undefined => {
  const fields = questionFields(schema)
  const given = new Set<unknown>(fields.filter(field => field.default !== undefined).map(({ name }) => name))
  if (requiredNames(schema).some(name => !given.has(name))) return undefined
  return accepted(
    schema,
    fields.map(field => [field.name, field.default]),
  )
}

/** Returns yes, with these members if the answer has any. */
const accepted = (
  schema: JsonObject | undefined,
  members: readonly (readonly [string, JsonValue | undefined])[],
): Answer => {
  if (schema === undefined) return { decision: 'once' }
  const data: JsonObject = Object.create(null)
  for (const [name, value] of members) if (value !== undefined) data[name] = value
  return { decision: 'once', data }
}

const yes = { value: true, label: 'yes' }
const no = { value: false, label: 'no' }
const answer = { value: true, label: 'answer', hint: 'Escape skips it' }
const refuse = { value: false, label: 'refuse' }

const askField = (asker: Asker, field: QuestionField): Promise<JsonValue | undefined> => {
  const words = field.description === '' ? field.title : `${field.title}: ${field.description}`
  const message = field.required ? words : `${words} (optional)`
  const choices = field.kind === 'boolean' ? [yes, no] : field.choices
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const leaveOut: Choice<JsonValue | undefined>[] = field.required
      ? []
      : [{ value: undefined, label: 'leave it empty' }]
    return asker.select<JsonValue | undefined>(message, [...choices, ...leaveOut], field.default)
  }
  return askText(asker, field, message)
}

const askText = async (asker: Asker, field: QuestionField, message: string): Promise<JsonValue | undefined> => {
  const initial = initialOf(field)
  const hint = field.choices.map(({ label }) => label).join(', ') || formatHint(field.format)
  const typed = await asker.text(message, {
    initial,
    placeholder: initial === undefined ? hint : undefined,
    check(text) {
      const read = readFieldAnswer(field, text)
      return 'fault' in read ? read.fault : undefined
    },
  })
  const read = readFieldAnswer(field, typed)
  return 'value' in read ? read.value : undefined
}

/** Returns the default as it would be typed. */
const initialOf = (field: QuestionField): string | undefined => {
  const { default: given } = field
  const text = Array.isArray(given)
    ? given.map(String).join(', ')
    : ['string', 'number'].includes(typeof given)
      ? String(given)
      : ''
  const clean = cleanLine(text)
  return clean !== '' && !('fault' in readFieldAnswer(field, clean)) ? clean : undefined
}

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
const formatHint = (format: string | undefined): string | undefined => formats.find(([name]) => name === format)?.[2]
