import type { JsonValue, Properties } from '@sibyl/protocol'

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, everything else replaces. */
export const mergePatch = (target: Properties, patch: Properties): Record<string, JsonValue> => {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

const isObject = (value: JsonValue | undefined): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
