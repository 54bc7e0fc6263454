import { sameDid } from '@sibyl/protocol'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { protocolFacet, typeFacet } from './indexed-words.ts'
import { rankEntities } from './rank-entities.ts'
import type { SearchQuery, SoughtText } from './read-query.ts'
import type { SearchIndex, SearchPart, SoughtWord } from './search-index.ts'

/** Maximum number of ranked entities with all words, and with any word. */
const maxWithAll = 100
const maxWithOne = 50

/**
 * Finds entities of this oracle, best first. Any query reads a bounded number of entities: the newest that have all
 * words, all words in their names, or any word.
 */
export const searchLocally = async (
  index: SearchIndex,
  reader: Pick<EntityReader, 'byIds'>,
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
      status === 'active' && (query.protocol === undefined || (protocol && sameDid(protocol.did, query.protocol))),
  )
  return (await rankEntities(entities, sought)).slice(0, query.limit)
}

const newest = async (index: SearchIndex, facets: readonly string[], limit: number): Promise<readonly string[]> => {
  if (facets.length === 0) return []
  return (await index.find([{ words: [], inNames: false, facets, limit }])).flat()
}

/**
 * Returns ids by at most three reads: by the exact words; if few have the last one, by longer words that begin with it;
 * and if no entity has some of them, by all others together.
 */
const candidates = async (
  index: SearchIndex,
  { words, joined }: SoughtText,
  facets: readonly string[],
): Promise<readonly string[]> => {
  const exact = words.map(({ word }) => ({ word, prefix: false }))
  const withAll = (sought: readonly SoughtWord[], inNames: boolean): SearchPart => ({
    words: sought,
    inNames,
    facets,
    limit: maxWithAll,
  })
  const withOne = (word: SoughtWord): SearchPart => ({ words: [word], inNames: false, facets, limit: maxWithOne })

  const single = [...exact, ...joined.map(({ word }) => ({ word, prefix: false }))]
  const found = [...(await index.find([withAll(exact, true), withAll(exact, false), ...single.map(withOne)]))]
  const counts = exact.map((_, place) => found[place + 2]!.length)

  const begun = words.findIndex(({ prefix }, place) => prefix && counts[place]! < maxWithOne)
  if (begun >= 0) {
    const longer = await index.find([withAll(words, true), withAll(words, false), withOne(words[begun]!)])
    counts[begun] = longer[2]!.length
    found.push(...longer)
  }
  const known = words.filter((_, place) => counts[place]! > 0)
  if (known.length > 1 && known.length < words.length) found.push(...(await index.find([withAll(known, false)])))
  return [...new Set(found.flat())]
}
