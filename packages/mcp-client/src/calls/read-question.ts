import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { cleanLine, cleanText } from '../reading/clean-text.ts'

/** The question of a server to a user, safe to show. */
export interface Question {
  readonly text: string
  readonly schema?: JsonObject
  readonly url?: string
}

const maxText = 2_000
const maxMembers = 30
const maxSchema = 16_000

const message = z.string()

/** The names of members, which people may read: nothing in them is invisible. */
const memberName = /^[^\p{C}]{1,100}$/u

const options = z.array(z.string()).max(200)
const titled = z.array(z.object({ const: z.string(), title: z.string() })).max(200)

/** One member of a form: a text, a number, yes or no, or a choice (the revisions of 2025-06-18 and later). */
const memberSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('string'), enum: options.optional(), oneOf: titled.optional() }),
  z.looseObject({ type: z.enum(['number', 'integer', 'boolean']) }),
  z.object({
    type: z.literal('array'),
    items: z.union([z.object({ anyOf: titled }), z.object({ type: z.literal('string'), enum: options })]),
    default: z.array(z.string()).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    minItems: z.int().optional(),
    maxItems: z.int().optional(),
  }),
])

type Member = z.infer<typeof memberSchema>

const formSchema = z.object({
  mode: z.literal('form').optional(),
  message,
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string().regex(memberName), memberSchema),
    required: z.array(z.string()).optional(),
  }),
})

const urlSchema = z.object({ mode: z.literal('url'), message, url: z.url({ protocol: /^https?$/ }).max(4_000) })

/** Parses a question of a server; undefined if it cannot be shown to a user, such as a nested form. */
export const readQuestion = (server: string, params: unknown): Question | undefined => {
  const page = urlSchema.safeParse(params)
  if (page.success) return { text: asked(server, page.data.message), url: page.data.url }

  const form = formSchema.safeParse(params)
  if (!form.success) return undefined
  const { properties, required } = form.data.requestedSchema
  const shown = Object.entries(properties).map(([name, member]) => [name, readable(member)])
  const schema = { type: 'object', properties: Object.fromEntries(shown), ...(required && { required }) } as JsonObject
  if (Object.keys(properties).length > maxMembers || JSON.stringify(schema).length > maxSchema) return undefined
  return { text: asked(server, form.data.message), schema }
}

/** Returns the error of an answer to a question; undefined if it is valid. */
export const answerError = (schema: JsonObject | undefined, content: JsonObject): string | undefined => {
  const { properties = {}, required = [] } = formSchema.shape.requestedSchema.partial().parse(schema ?? {})
  for (const name of required) if (!(name in content)) return `The answer lacks ${cleanLine(name, 50)}.`
  for (const [name, value] of Object.entries(content)) {
    const member = properties[name]
    if (!member || !answerSchema(member).safeParse(value).success) {
      return `The answer's ${cleanLine(name, 50)} does not match the question.`
    }
  }
  return undefined
}

const answerSchema = (member: Member): z.ZodType => {
  if (member.type === 'string') return oneOf(member.enum ?? member.oneOf?.map(choice => choice.const))
  if (member.type === 'array') {
    const { items } = member
    return z.array(oneOf('anyOf' in items ? items.anyOf.map(choice => choice.const) : items.enum))
  }
  return { number: z.number(), integer: z.int(), boolean: z.boolean() }[member.type]
}

const oneOf = (choices: readonly string[] | undefined) => (choices ? z.enum(choices) : z.string())

/** The member with texts that show what they say. */
const readable = (member: Member) => ({
  ...member,
  ...(typeof member.title === 'string' && { title: cleanLine(member.title, 200) }),
  ...(typeof member.description === 'string' && { description: cleanText(member.description, maxText) }),
})

const asked = (server: string, text: string) => `The MCP server ${server} asks: ${cleanText(text, maxText)}`

/** Returns the answer of the user, with the defaults of the form for missing values (SEP-1034). */
export const withDefaults = (schema: JsonObject | undefined, content: JsonObject = {}): JsonObject => {
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, JsonObject>>
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined || value === null ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(defaults), ...content }
}
