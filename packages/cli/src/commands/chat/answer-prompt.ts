import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { Asker, Choice } from '../../ask/asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Answer } from './conversation.ts'
import { type QuestionField, questionFields, requiredNames } from './question-fields.ts'
import { formatHint, readFieldAnswer } from './read-field-answer.ts'

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
