import { rootOf } from '@sibyl/plugin'
import type { Fact } from './fact.ts'
import type { FoundFact } from './fact-store.ts'
import type { SignificantWord } from './significant-words.ts'

/** Weights of a word in a fact: the same word, a related one, or a longer one. */
const weights = { same: 1, relative: 0.85, longer: 0.5 } as const
/** Bonus for two words that are adjacent in both the query and the fact. */
const neighbourBonus = 0.25
/** Reduction of the score for long facts, and the usual length of a fact in words. */
const lengthShare = 0.3
const usualLength = 10
/** Maximum reduction of the score by age, and the age at which half of it applies, in milliseconds. */
const recencyShare = 0.25
const halfLifeMs = 90 * 86_400_000
/** Change of the score for a step of importance. */
const importanceStep = 0.06
/** Minimum number of facts for the computation of rarity. */
const fewestFacts = 50
/**
 * Thresholds of relevance: the weight of the matched words relative to a word of a single fact, relative to the whole
 * query, of which only a few words count, and relative to the best match.
 */
const relevantOfRarest = 0.5
const relevantOfQuestion = 0.2
const countedOfQuestion = 5
const relevantOfBest = 0.5

/** A fact with a word of the query, and its own words. */
export interface Candidate {
  readonly fact: Fact
  readonly words: readonly string[]
}

/**
 * Returns the weight of a word by its rarity (inverse document frequency of BM25).
 *
 * @param having number of facts that have the word
 * @param facts total number of facts
 */
export const worthOf = (having: number, facts: number): number => {
  const all = Math.max(facts, fewestFacts)
  const some = Math.min(Math.max(having, 1), all)
  return Math.log(1 + (all - some + 0.5) / (some + 0.5))
}

/**
 * Ranks facts: rare words before common ones, several before one, adjacent ones before others; of equal ones, the
 * latest and the more important first.
 *
 * @param worths weight of each word of the query, from `worthOf`
 * @param among number of the person's facts, and the time
 */
export const rankFacts = (
  candidates: readonly Candidate[],
  question: readonly SignificantWord[],
  worths: readonly number[],
  among: { readonly facts: number; readonly now: number },
): readonly FoundFact[] => {
  const rarest = worthOf(1, among.facts)
  const total = worths.reduce((sum, worth) => sum + worth, 0)
  const least = Math.max(relevantOfRarest * rarest, relevantOfQuestion * Math.min(total, countedOfQuestion * rarest))
  const scored = candidates.map(({ fact, words }) => {
    const { score, worth } = fitOf(words, question, worths)
    return { fact, worth, fit: score, score: score * standing(fact, among.now) }
  })
  const best = Math.max(0, ...scored.map(({ fit }) => fit))
  return scored
    .toSorted((one, other) => other.score - one.score || other.fact.updatedAt - one.fact.updatedAt)
    .map(({ fact, worth, fit }) => ({
      fact,
      isRelevant: worth >= least && fit >= relevantOfBest * best,
    }))
}

/** Applies recency and importance to a score. */
export const standing = ({ updatedAt, importance }: Fact, now: number): number => {
  const age = Math.max(0, now - updatedAt)
  return (1 - recencyShare + recencyShare * 2 ** (-age / halfLifeMs)) * (1 + importanceStep * (importance - 3))
}

const fitOf = (words: readonly string[], question: readonly SignificantWord[], worths: readonly number[]) => {
  const roots = words.map(rootOf)
  const places = question.map(({ stem, root }) => placeOf(words, roots, stem, root))
  let worth = 0
  for (const [index, place] of places.entries()) worth += (place?.weight ?? 0) * worths[index]!
  let bonus = 0
  for (let index = 1; index < places.length; index += 1) {
    const [one, other] = [places[index - 1], places[index]]
    if (one && other && Math.abs(one.at - other.at) === 1)
      bonus += neighbourBonus * Math.min(worths[index - 1]!, worths[index]!)
  }
  const shortness = 1 / (1 - lengthShare + lengthShare * Math.max(0.5, words.length / usualLength))
  return { worth, score: (worth + bonus) * shortness }
}

/** Returns the position of a word in a fact, and its weight there. */
const placeOf = (words: readonly string[], roots: readonly string[], stem: string, root: string) => {
  const same = words.indexOf(stem)
  if (same >= 0) return { at: same, weight: weights.same }
  const relative = roots.indexOf(root)
  if (relative >= 0) return { at: relative, weight: weights.relative }
  const longer =
    root.length < 4 ? -1 : roots.findIndex((one, at) => one.startsWith(root) || words[at]?.startsWith(stem))
  return longer >= 0 ? { at: longer, weight: weights.longer } : undefined
}
