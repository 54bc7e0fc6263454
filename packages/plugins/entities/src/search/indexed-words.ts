import { joinedWord, nameParts, searchWords } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'

/** The words that an entity is found by, each once. */
export interface IndexedWords {
  /** Of what it is called: its type, its aliases, and properties such as `name`. */
  readonly names: readonly string[]
  /** Of all else that it says in words, its id among them. */
  readonly words: readonly string[]
  /** Filters that it fits. Each has a slash, and no word has one. */
  readonly facets: readonly string[]
}

const maxCharacters = 4_000
const maxNames = 40
const maxWords = 300
const maxDepth = 6

const calledBy = /(?:name|title|label|alias|brand|model)$|^serial/i

/** The facet of entities of a type, however it is written. */
export const typeFacet = (type: string): string => `type/${joinedWord(type)}`

/** The facet of entities that follow a protocol. */
export const protocolFacet = (did: string): string => `protocol/${entityIdOf(did) ?? joinedWord(did)}`

/** The words that an entity is found by; of long texts the beginnings. */
export const indexedWords = (
  entity: Pick<StoredEntity, 'id' | 'type' | 'protocol' | 'properties' | 'alsoKnownAs'>,
): IndexedWords => {
  const names = new Set(searchWords(nameParts(entity.type)))
  names.add(joinedWord(entity.type))
  const words = new Set(searchWords(entity.id))
  let left = maxCharacters

  const add = (text: string, target: Set<string>, most: number) => {
    const taken = text.slice(0, left)
    left -= taken.length
    for (const word of searchWords(taken)) if (target.size < most) target.add(word)
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
