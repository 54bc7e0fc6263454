import { setImmediate } from 'node:timers/promises'
import { joinedWord } from '@sibyl/plugin/storage'
import type { StoredEntity } from '../records/stored-entity.ts'
import { type IndexedWords, indexedWords } from './indexed-words.ts'
import type { SoughtText } from './read-query.ts'
import type { SoughtWord } from './search-index.ts'

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
export const rankEntities = async (
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
