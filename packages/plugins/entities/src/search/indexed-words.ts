import { joinedWord, nameParts, searchWords } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'

/** The indexed words of an entity, without duplicates. */
export interface IndexedWords {
  /** Words of its names: its type, its aliases, and properties such as `name`. */
  readonly names: readonly string[]
  /** Words of all other text, including its id. */
  readonly words: readonly string[]
  /** Filters that it matches. Each contains a slash, which no word does. */
  readonly facets: readonly string[]
}

const maxCharacters = 4_000
const maxNames = 40
const maxWords = 300
const maxDepth = 6

const calledBy = /(?:name|title|label|alias|brand|model)$|^serial/i

/** Returns the facet of entities of a type, in any form of the type. */
export const typeFacet = (type: string): string => `type/${joinedWord(type)}`

/** Returns the facet of entities that follow a protocol. */
export const protocolFacet = (did: string): string => `protocol/${entityIdOf(did) ?? joinedWord(did)}`

/** Returns the indexed words of an entity; of long text only the beginning. */
export const indexedWords = (
  entity: Pick<StoredEntity, 'id' | 'type' | 'protocol' | 'properties' | 'alsoKnownAs'>,
): IndexedWords => {
  const names = new Set(searchWords(nameParts(entity.type)))
  names.add(joinedWord(entity.type))
  const words = new Set(searchWords(entity.id))
  let left = maxCharacters

  const add = (text: string, target: Set<string>, max: number) => {
    const taken = text.slice(0, left)
    left -= taken.length
    for (const word of searchWords(taken)) if (target.size < max) target.add(word)
  }
  const visit = (value: JsonValue, name: string, depth: number) => {
    if (left <= 0 || depth > maxDepth) return
    if (typeof value === 'string') {
      add(value, calledBy.test(name) ? names : words, calledBy.test(name) ? maxNames : maxWords)
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, name, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        if (typeof inner !== 'number' && typeof inner !== 'boolean') add(nameParts(member), words, maxWords)
        visit(inner, member, depth + 1)
      }
    }
  }

  for (const alias of entity.alsoKnownAs) add(alias, names, maxNames)
  visit({ ...entity.properties }, '', 0)
  return {
    names: [...names],
    words: [...words].filter(word => !names.has(word)),
    facets: [typeFacet(entity.type), ...(entity.protocol ? [protocolFacet(entity.protocol.did)] : [])],
  }
}
