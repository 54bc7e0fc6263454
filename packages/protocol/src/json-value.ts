import * as z from 'zod'

/** Any value that survives a JSON round trip. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue }

/** Parses JSON; undefined if it is invalid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Accepts a value that survives a JSON round trip. The type is spelled out for the OpenAPI document, whose generator
 * would follow the schema into itself without an end.
 */
export const jsonValue: z.ZodType<JsonValue> = z
  .json()
  .meta({ type: ['null', 'boolean', 'number', 'string', 'array', 'object'] })
