import type { JsonValue } from '@sibyl/protocol'

export const pointerSegments = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the value at a JSON Pointer; undefined otherwise. */
export const valueAt = (value: JsonValue, pointer: string): JsonValue | undefined => {
  let current: JsonValue | undefined = value
  for (const segment of pointerSegments(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    current = Array.isArray(current) ? itemOf(current, segment) : current[segment]
  }
  return current
}

const itemOf = (items: readonly JsonValue[], segment: string): JsonValue | undefined =>
  /^(?:0|[1-9]\d*)$/.test(segment) ? items[Number(segment)] : undefined
