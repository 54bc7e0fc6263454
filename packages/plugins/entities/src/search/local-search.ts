import { setImmediate } from 'node:timers/promises'
import { joinedWord } from '@sibyl/plugin/storage'
import { sameDid } from '@sibyl/protocol'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { type IndexedWords, indexedWords, protocolFacet, typeFacet } from './indexed-words.ts'
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

/** Weight of a word in the names of an entity. */
const nameWeight = 2.5
/** Weight of a longer word that begins with the word. */
const prefixWeight = 0.7
/** Factor of an entity whose whole type is in the query. */
const typeBonus = 1.3
/** Gain of an entity whose names have no other words. */
const shortNameBonus = 0.3

/** Number of entities whose words are read before other requests run; long text takes milliseconds each. */
const readAtOnce = 20

/**
 * Ranks entities: all words before some, rare words before common ones, names before other text, and of equal ones the
 * newest. The ranking is the same on every engine, and uses only results of the index.
 */
const rankEntities = async (
  entities: readonly StoredEntity[],
  sought: SoughtText,
): Promise<readonly StoredEntity[]> => {
  const documents: { readonly entity: StoredEntity; readonly matches: Matches }[] = []
  for (const entity of entities) {
    documents.push({ entity, matches: matchesOf(indexedWords(entity), sought) })
    if (documents.length % readAtOnce === 0) await setImmediate()
  }
  const rarity = sought.words.map((_, index) => {
    const having = documents.filter(({ matches }) => (matches.weights[index] ?? 0) > 0).length
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) + 0.2
  })
  const total = rarity.reduce((sum, worth) => sum + worth, 0)
  const scored = documents.map(({ entity, matches }) => {
    const { weights, namesShare } = matches
    const score = weights.reduce((sum, weight, index) => sum + weight * rarity[index]!, 0)
    const covered = weights.reduce((sum, weight, index) => sum + (weight > 0 ? rarity[index]! : 0), 0)
    const bonus = (isTypeOf(entity, sought) ? typeBonus : 1) * (1 + shortNameBonus * namesShare)
    return { entity, score: total === 0 ? 0 : score * (covered / total) * bonus }
  })
  return scored
    .toSorted((one, other) => other.score - one.score || (one.entity.id < other.entity.id ? 1 : -1))
    .map(({ entity }) => entity)
}

interface Matches {
  /** Weight of each word of the query in the entity; 0 where it is missing. */
  readonly weights: readonly number[]
  /** Share of its names that is in the query. */
  readonly namesShare: number
}

const matchesOf = ({ names, words }: IndexedWords, { words: sought, joined }: SoughtText): Matches => {
  const inNames = new Set(names)
  const inWords = new Set(words)
  const found = new Set<string>()
  const weightOf = ({ word, prefix }: SoughtWord): number => {
    if (inNames.has(word)) {
      found.add(word)
      return nameWeight
    }
    if (inWords.has(word)) return 1
    if (!prefix) return 0
    const longer = names.find(name => name.startsWith(word))
    if (longer !== undefined) {
      found.add(longer)
      return nameWeight * prefixWeight
    }
    return words.some(one => one.startsWith(word)) ? prefixWeight : 0
  }
  const weights = sought.map(weightOf)
  for (const { word, stands } of joined) {
    const weight = weightOf({ word, prefix: false })
    for (const index of stands) weights[index] = Math.max(weights[index]!, weight)
  }
  return { weights, namesShare: names.length === 0 ? 0 : found.size / names.length }
}

const isTypeOf = ({ type }: StoredEntity, { words, joined }: SoughtText): boolean => {
  const whole = joinedWord(type)
  return words.some(({ word }) => word === whole) || joined.some(({ word }) => word === whole)
}
