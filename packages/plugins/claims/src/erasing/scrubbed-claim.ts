import type { ClaimVerdict, EvidenceEntry, JsonValue, RubricCondition } from '@sibyl/protocol'
import { pointerSegments, valueAt } from '../rubric/json-pointer.ts'

/**
 * Returns the amounts of a claim on which its decision rests: the numbers and booleans that conditions compare. All else of
 * the data goes with its person.
 */
export const amountsOf = (
  data: Readonly<Record<string, JsonValue>>,
  conditions: readonly Pick<RubricCondition, 'path'>[],
): Record<string, JsonValue> => {
  const amounts: Record<string, JsonValue> = {}
  for (const { path } of conditions) {
    const value = valueAt(data, path)
    if (typeof value === 'number' || typeof value === 'boolean') put(amounts, pointerSegments(path), value)
  }
  return amounts
}

const put = (into: Record<string, JsonValue>, segments: readonly string[], value: JsonValue): void => {
  const [name, ...rest] = segments
  if (name === undefined || name === '__proto__') return
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = Object.hasOwn(into, name) ? into[name] : {}
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return
  into[name] = inner
  put(inner, rest, value)
}

/** Returns evidence by its hashes alone: neither names nor addresses of files. */
export const hashesOf = (evidence: readonly EvidenceEntry[]): EvidenceEntry[] =>
  evidence.map(({ hash, mediaType }) => ({ hash, mediaType }))

/** Returns what a verdict decided and which checks passed, without its words. */
export const decisionOf = ({ decision, checks, method, by, at }: ClaimVerdict): ClaimVerdict => ({
  decision,
  reasons: [],
  checks: checks.map(({ id, of, passed }) => ({ id, of, passed })),
  method,
  by,
  at,
})
