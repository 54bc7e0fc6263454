import type { JsonValue } from '@sibyl/protocol'

/** A JSON object, such as a credential. */
export type JsonObject = { readonly [member: string]: JsonValue }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
