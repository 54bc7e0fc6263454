import type { JsonValue } from '@sibyl/protocol'
import { isObject } from '../../api/is-object.ts'

/** A member that differs between two states. */
export interface Difference {
  /** Path of the member: `properties › fuel`. */
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

const maxDifferences = 200
const deepest = 6

/** Returns the members that differ between two states, in the order of their names. */
export const differences = (before: JsonValue | undefined, after: JsonValue | undefined): readonly Difference[] => {
  const found: Difference[] = []
  compare([], before, after, found)
  return found
}

const compare = (
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  found: Difference[],
): void => {
  if (found.length >= maxDifferences || JSON.stringify(before) === JSON.stringify(after)) return
  const bothObjects = isObject(before) && isObject(after)
  if ((bothObjects || (path.length === 0 && (isObject(before) || isObject(after)))) && path.length < deepest) {
    const [one, other] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
    for (const name of [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted()) {
      compare([...path, name], own(one, name), own(other, name), found)
    }
    return
  }
  found.push({
    path: path.join(' › '),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  })
}

const own = (value: { readonly [member: string]: JsonValue }, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined
