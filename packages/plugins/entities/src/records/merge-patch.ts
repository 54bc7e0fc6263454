import { isObject, type JsonValue } from '@sibyl/protocol'

type JsonObject = Readonly<Record<string, JsonValue>>

/** Applies a JSON Merge Patch (RFC 7396) to an object: null removes, objects are merged, all else replaces. */
export const mergePatch = (target: JsonObject, patch: JsonObject): Record<string, JsonValue> => {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}
