import type { Manifest } from '@sibyl/plugin'
import type { Example, LoadMode } from '@sibyl/plugin/host'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'

/** A tool as the offline model needs to know it. */
export interface OfflineTool {
  readonly name: string
  readonly input: z.ZodType
  /** The known input, if it does not follow from `input`. */
  readonly inputSchema?: JsonObject | undefined
  /** The model calls a `write` on a near match or a guessed value only after a confirmation. @default 'read' */
  readonly effect?: 'read' | 'write'
}

/** A plugin, or one capability of a plugin that stands for many: what `load_capability` takes and what it brings. */
export interface OfflineCatalogEntry {
  readonly name: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  /** The tools as far as they are known before they are loaded. */
  readonly tools: readonly OfflineTool[]
}

/** The parts of JSON Schema that the offline model understands. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly (JsonSchema | boolean)[]
  readonly oneOf?: readonly (JsonSchema | boolean)[]
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly minLength?: number
  readonly format?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

export interface ToolInput {
  readonly schema: JsonSchema
  /** Whether the tool changes something, or may. */
  readonly writes: boolean
  /** Validates arguments, if the tool has a schema: returns the place and message of the first error. */
  check?(args: unknown): { readonly property: string; readonly text: string } | undefined
}

/** An example of a plugin with the values that a person gave for its placeholders, as they were written. */
export interface Candidate {
  readonly entry: OfflineCatalogEntry
  readonly example: Example
  readonly values: Readonly<Record<string, string>>
  /** The example or a value was guessed: a tool that writes is called after a confirmation only. */
  readonly unsure?: boolean
}

/** The example's wordings as a list. */
export const wordingsOf = (example: Example): readonly string[] =>
  typeof example.user === 'string' ? [example.user] : example.user

const placeholder = /\{([A-Za-z_]\w*)\}/g

/** The placeholders of a text, in order: 'for {city} for {days} days' has city and days. */
export const placeholdersOf = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map(match => match[1]!)

/** Reads what a tool takes; a type that JSON Schema cannot express takes anything and checks for itself. */
export const toolInput = ({ input, inputSchema, effect }: Omit<OfflineTool, 'name'>): ToolInput => ({
  writes: effect === 'write',
  schema: (inputSchema as JsonSchema | undefined) ?? toJsonSchema(input),
  check(args) {
    const parsed = safely(() => input.safeParse(args))
    const issue = parsed?.success === false ? parsed.error.issues[0] : undefined
    return issue && { property: String(issue.path[0] ?? ''), text: readableIssue(issue.message) }
  },
})

/** zod's own text for a pattern shows the pattern; an author's text is kept. */
const readableIssue = (message: string): string =>
  message.startsWith('Invalid string: must match pattern') ? 'it has an unexpected format' : message

const toJsonSchema = (input: z.ZodType): JsonSchema =>
  (safely(() => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', target: 'draft-07' })) ?? {}) as JsonSchema

const safely = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
