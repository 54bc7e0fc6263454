import { type ClaimCreation, type Fault, type JsonValue, jsonPointer } from '@sibyl/protocol'
import { fault } from '../rubric/fault.ts'

/** The most characters of a claim's data as JSON. */
const mostData = 65_536

/** The most characters of its evidence as JSON. */
const mostEvidence = 32_768

/** How deep its data may be nested. */
const deepestData = 16

/**
 * Finds what no credential could say: what is too large or too deep for one, and names that are keywords of JSON-LD. A claim
 * with it could be submitted, and never be approved.
 */
export const contentFaults = ({ data, evidence = [] }: Pick<ClaimCreation, 'data' | 'evidence'>): readonly Fault[] => [
  ...sizeFaults(data, mostData, '/data'),
  ...sizeFaults(evidence, mostEvidence, '/evidence'),
  ...nameFaults(data, '/data'),
]

const sizeFaults = (content: unknown, most: number, path: string): readonly Fault[] =>
  JSON.stringify(content).length > most ? [fault(path, 'too_large', `May have ${most} characters of JSON.`)] : []

const nameFaults = (value: JsonValue, path: string, depth = 1): readonly Fault[] => {
  if (typeof value !== 'object' || value === null) return []
  if (depth > deepestData) return [fault(path, 'too_deep', `May be nested ${deepestData} levels deep.`)]
  return Object.entries(value).flatMap(([name, member]) => {
    const place = jsonPointer(path, name)
    const isKeyword = !Array.isArray(value) && name.startsWith('@')
    if (isKeyword) return [fault(place, 'name_invalid', 'May not begin with @.')]
    return nameFaults(member, place, depth + 1)
  })
}
