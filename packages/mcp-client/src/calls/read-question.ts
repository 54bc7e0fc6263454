import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { cleanText } from '../reading/clean-text.ts'

/** What a server asks a person, made fit to be shown. */
export interface Question {
  readonly text: string
  readonly schema?: JsonObject
  readonly url?: string
}

const maxText = 2_000
const maxMembers = 30
const maxSchema = 16_000

const message = z.string()

const options = z.array(z.string()).max(200)
const titled = z.array(z.object({ const: z.string(), title: z.string() })).max(200)

/** One member of a form: a text, a number, yes or no, or a choice (the revisions of 2025-06-18 and later). */
const memberSchema = z.union([
  z.looseObject({ type: z.literal('string'), enum: options.optional(), oneOf: titled.optional() }),
  z.looseObject({ type: z.enum(['number', 'integer', 'boolean']) }),
  z.looseObject({
    type: z.literal('array'),
    items: z.union([z.object({ type: z.literal('string'), enum: options }), z.object({ anyOf: titled })]),
  }),
])

const formSchema = z.object({
  mode: z.literal('form').optional(),
  message,
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string().max(200), memberSchema),
    required: z.array(z.string()).optional(),
  }),
})

const urlSchema = z.object({ mode: z.literal('url'), message, url: z.url({ protocol: /^https?$/ }).max(4_000) })

/** A question of a server; undefined where it is none that a person can be asked, such as a form within a form. */
export const readQuestion = (server: string, params: unknown): Question | undefined => {
  const page = urlSchema.safeParse(params)
  if (page.success) return { text: asked(server, page.data.message), url: page.data.url }

  const form = formSchema.safeParse(params)
  if (!form.success) return undefined
  const { properties, required } = form.data.requestedSchema
  const schema = { type: 'object', properties, ...(required && { required }) } as JsonObject
  if (Object.keys(properties).length > maxMembers || JSON.stringify(schema).length > maxSchema) return undefined
  return { text: asked(server, form.data.message), schema }
}

const asked = (server: string, text: string) => `The MCP server ${server} asks: ${cleanText(text, maxText)}`

/** What a person answered, with the defaults of the form where the answer says nothing (SEP-1034). */
export const withDefaults = (schema: JsonObject | undefined, content: JsonObject = {}): JsonObject => {
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, JsonObject>>
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined || value === null ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(defaults), ...content }
}
