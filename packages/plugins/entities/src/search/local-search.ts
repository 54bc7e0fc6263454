import type { EntityReader } from '../reading/entity-reader.ts'
import { isSameDid } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { SearchQuery } from './entity-search.ts'
import { protocolFacet, typeFacet } from './indexed-words.ts'
import { rankEntities } from './rank-entities.ts'
import type { SoughtText } from './read-query.ts'
import type { SearchIndex, SearchPart } from './search-index.ts'

/** How many entities with all words are looked at, and how many with any one of them. */
const mostWithAll = 100
const mostWithOne = 50

/** What a search of this oracle's entities needs. */
export interface LocalSearchParts {
  readonly index: SearchIndex
  readonly reader: Pick<EntityReader, 'byIds'>
}

/**
 * Finds entities of this oracle, the best first. Whatever is asked for, a bounded number of entities is looked at: the
 * newest that have all words, all of them in what they are called, or any one of them.
 */
export const searchLocally = async (
  { index, reader }: LocalSearchParts,
  query: SearchQuery,
  sought: SoughtText,
): Promise<readonly StoredEntity[]> => {
  const facets = [
    ...(query.type === undefined ? [] : [typeFacet(query.type)]),
    ...(query.protocol === undefined ? [] : [protocolFacet(query.protocol)]),
  ]
  const ids =
    sought.words.length > 0 ? await candidates(index, sought, facets) : await newest(index, facets, query.limit)
  if (ids.length === 0) return []
  const found = await reader.byIds(ids)
  const entities = [...found.values()].filter(
    ({ status, protocol }) =>
      status === 'active' && (query.protocol === undefined || (protocol && isSameDid(protocol.did, query.protocol))),
  )
  return rankEntities(entities, sought).slice(0, query.limit)
}

const newest = async (index: SearchIndex, facets: readonly string[], limit: number): Promise<readonly string[]> => {
  if (facets.length === 0) return []
  return (await index.find([{ words: [], inNames: false, facets, limit }])).flat()
}

const candidates = async (
  index: SearchIndex,
  { words, joined }: SoughtText,
  facets: readonly string[],
): Promise<readonly string[]> => {
  const all = (inNames: boolean): SearchPart => ({ words, inNames, facets, limit: mostWithAll })
  const single = [...words, ...joined.map(({ word }) => ({ word, prefix: false }))]
  const ofOne = single.map(word => ({ words: [word], inNames: false, facets, limit: mostWithOne }))
  const found = await index.find([all(true), all(false), ...ofOne])
  const known = words.filter((_, place) => found[place + 2]!.length > 0)
  const some = known.length > 1 && known.length < words.length
  const again = some ? await index.find([{ words: known, inNames: false, facets, limit: mostWithAll }]) : []
  return [...new Set([...found, ...again].flat())]
}
