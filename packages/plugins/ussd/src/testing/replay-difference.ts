import type { JsonValue } from '@sibyl/protocol'
import { anyText } from './recorded-session.ts'

/** A difference between a reply and its recording. */
export interface ReplayDifference {
  /** The exchange, from 1, and its request: `2: answers 1`. */
  readonly exchange: string
  /** `status`, `contentType`, or a path in the body: `body.Message`. */
  readonly what: string
  readonly expected: JsonValue | undefined
  readonly found: JsonValue | undefined
}

/** Returns the paths at which two values differ, with the expected and the actual value. */
export const differences = (
  what: string,
  expected: JsonValue | undefined,
  found: JsonValue | undefined,
): Omit<ReplayDifference, 'exchange'>[] => {
  if (typeof expected === 'string' && typeof found === 'string' && matches(expected, found)) return []
  if (expected === found) return []
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return [{ what, expected, found }]
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(found)])
  return [...names].flatMap(name => differences(`${what}.${name}`, own(expected, name), own(found, name)))
}

type JsonObject = { readonly [name: string]: JsonValue }

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null

const own = (value: JsonObject, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)

/** Returns whether a text matches the recording, with `…` for any text. */
const matches = (expected: string, found: string): boolean => {
  const [first = '', ...parts] = expected.split(anyText)
  const last = parts.pop()
  if (last === undefined) return expected === found
  if (!found.startsWith(first) || !found.endsWith(last) || found.length < first.length + last.length) return false
  const end = found.length - last.length
  let from = first.length
  for (const part of parts) {
    const at = found.indexOf(part, from)
    if (at < 0 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
