import type { JsonValue } from '@sibyl/protocol'

/** Returns a text that both databases can store: without NUL and unpaired surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Returns a copy of a value that JSON can represent; null if it cannot. */
export const jsonCopy = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue

/** Parses stored JSON; invalid JSON gives the fallback. */
export const readJson = <Value>(text: string | null, fallback: Value): Value => {
  if (text === null) return fallback
  try {
    return JSON.parse(text) as Value
  } catch {
    return fallback
  }
}
