import { z } from 'zod'

/** Any value that survives a JSON round trip. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** Accepts a value that survives a JSON round trip. */
export const jsonValue: z.ZodType<JsonValue> = z.json()
