import type { JsonValue } from '@sibyl/protocol'
import { isObject } from './is-object.ts'

/** Returns the JSON Merge Patch (RFC 7396) that turns one object into another. */
export const mergePatchFrom = (before: unknown, after: unknown): JsonValue => {
  if (!isObject(before) || !isObject(after)) return after as JsonValue
  const patch: [string, JsonValue][] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!Object.hasOwn(after, name)) patch.push([name, null])
    else if (!Object.hasOwn(before, name)) patch.push([name, after[name] as JsonValue])
    else if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
      patch.push([name, mergePatchFrom(before[name], after[name])])
    }
  }
  return Object.fromEntries(patch)
}
