import { z } from 'zod'

interface JsonSchema {
  readonly type?: unknown
  readonly format?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
}

/** Describes the accepted values of a variable. */
export const describeSchema = (schema: z.ZodType): string => {
  try {
    return describeJsonSchema(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema)
  } catch {
    return 'text'
  }
}

const describeJsonSchema = (schema: JsonSchema): string => {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeJsonSchema))].join(' or ')
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices) return joinOr(choices.map(String))
  switch (schema.type) {
    case 'integer':
      return `whole number${describeRange(schema)}`
    case 'number':
      return `number${describeRange(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'list'
    default:
      return schema.format === 'uri' ? 'URL' : 'text'
  }
}

const describeRange = ({ minimum, maximum }: JsonSchema): string => {
  const given = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  if (given(minimum) && given(maximum)) return ` from ${minimum} to ${maximum}`
  if (given(minimum)) return `, at least ${minimum}`
  return given(maximum) ? `, at most ${maximum}` : ''
}

const joinOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
