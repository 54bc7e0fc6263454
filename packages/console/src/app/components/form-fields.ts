import type { JsonValue } from '@sibyl/protocol'
import { isObject } from '../api/is-object.ts'

/** A field of a form for the answer to a question. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly description: string | undefined
  readonly kind: 'text' | 'email' | 'url' | 'date' | 'number' | 'boolean' | 'choice'
  /** With `choice`. */
  readonly options: readonly string[]
  readonly isRequired: boolean
  readonly initial: JsonValue | undefined
}

/** The most fields of a form. */
const maxFields = 40

const formats: Readonly<Record<string, FormField['kind']>> = { email: 'email', uri: 'url', date: 'date' }

type Member = Readonly<Record<string, unknown>>

/** Returns the fields of a JSON Schema of an object whose members are texts, numbers, yes or no, or one of several values. */
export const fieldsOf = (schema: Readonly<Record<string, unknown>> | undefined): FormField[] => {
  const members = isObject(schema?.properties) ? schema.properties : {}
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(members)
    .slice(0, maxFields)
    .map(([name, given]): FormField => {
      const member: Member = isObject(given) ? given : {}
      const options = Array.isArray(member.enum) ? member.enum.filter(value => typeof value === 'string') : []
      const kind = kindOf(member, options)
      return {
        name,
        label: typeof member.title === 'string' ? member.title : name,
        description: typeof member.description === 'string' ? member.description : undefined,
        kind,
        options,
        isRequired: required.includes(name),
        initial:
          member.default === undefined ? (kind === 'boolean' ? false : undefined) : (member.default as JsonValue),
      }
    })
}

const kindOf = (member: Member, options: readonly string[]): FormField['kind'] => {
  if (options.length > 0) return 'choice'
  if (member.type === 'boolean') return 'boolean'
  if (member.type === 'number' || member.type === 'integer') return 'number'
  return formats[String(member.format)] ?? 'text'
}
