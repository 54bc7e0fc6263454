import { rarity, rootOf } from '@sibyl/plugin'
import type { Fact } from './fact.ts'
import type { FoundFact } from './fact-store.ts'
import type { TellingWord } from './telling-words.ts'

/** How much a word counts in a fact that has it as it is, one of its relatives, or a longer word. */
const weights = { same: 1, relative: 0.85, longer: 0.5 } as const
/** What two words gain that stand beside each other in the question and in the fact. */
const neighbourBonus = 0.25
/** How much a fact loses by being longer than others, and how long facts usually are, in words. */
const lengthShare = 0.3
const usualLength = 10
/** The part of the score that age can take away, and the age at which half of that is gone, in milliseconds. */
const recencyShare = 0.25
const halfLifeMs = 90 * 86_400_000
/** What a step of importance adds or takes away. */
const importanceStep = 0.06
/** Facts of somebody with few of them count as if they were among so many. */
const fewestFacts = 50
/**
 * What makes a fact relevant: its words of the question are worth so much of a word that one fact alone has, so much of the
 * whole question, of which a few words count, and so much of what fits best.
 */
const relevantOfRarest = 0.5
const relevantOfQuestion = 0.2
const countedOfQuestion = 5
const relevantOfBest = 0.5

/** A fact that has a word of the question, with its own words. */
export interface Candidate {
  readonly fact: Fact
  readonly words: readonly string[]
}

/**
 * Returns how much a word is worth by its rarity.
 *
 * @param having how many facts have it, by word
 * @param facts how many there are
 */
export const worthOf = (having: number, facts: number): number => rarity(having, Math.max(facts, fewestFacts))

/**
 * Orders facts by how well they fit: rare words before common ones, several before one, neighbours before others; among
 * those that fit alike, what was told last and what matters more.
 *
 * @param worths of each word of the question, as `worthOf` gives it
 * @param among how many facts the person has, and the time
 */
export const rankFacts = (
  candidates: readonly Candidate[],
  question: readonly TellingWord[],
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

/** What recency and importance leave of a score. */
export const standing = ({ updatedAt, importance }: Fact, now: number): number => {
  const age = Math.max(0, now - updatedAt)
  return (1 - recencyShare + recencyShare * 2 ** (-age / halfLifeMs)) * (1 + importanceStep * (importance - 3))
}

const fitOf = (words: readonly string[], question: readonly TellingWord[], worths: readonly number[]) => {
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

/** Where a word stands in a fact, and how much it counts there. */
const placeOf = (words: readonly string[], roots: readonly string[], stem: string, root: string) => {
  const same = words.indexOf(stem)
  if (same >= 0) return { at: same, weight: weights.same }
  const relative = roots.indexOf(root)
  if (relative >= 0) return { at: relative, weight: weights.relative }
  const longer =
    root.length < 4 ? -1 : roots.findIndex((one, at) => one.startsWith(root) || words[at]?.startsWith(stem))
  return longer >= 0 ? { at: longer, weight: weights.longer } : undefined
}
