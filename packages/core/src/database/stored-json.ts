import type { JsonValue } from '@sibyl/protocol'

/** A text as both databases can keep it: without the character NUL and halves of surrogate pairs. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** A value as JSON can carry it; null where it cannot. */
export const jsonCopy = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue

/** Reads stored JSON; what no longer parses counts as the fallback. */
export const readJson = <Value>(text: string | null, fallback: Value): Value => {
  if (text === null) return fallback
  try {
    return JSON.parse(text) as Value
  } catch {
    return fallback
  }
}
