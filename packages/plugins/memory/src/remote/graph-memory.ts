import { createHash } from 'node:crypto'
import { KeyedQueue, page } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { type Fact, factIdOf, maxFactText, maxTag, maxTags, type NewFact, usualImportance } from '../facts/fact.ts'
import type { FactStore } from '../facts/fact-store.ts'
import { memoryErrors } from '../facts/memory-errors.ts'
import { rankFacts, standing, worthOf } from '../facts/rank-facts.ts'
import { rootsOf, wordsOfFact, wordsOfQuestion } from '../facts/significant-words.ts'
import { callMemory, type McpMemoryParts } from './call-memory.ts'
import type { GraphTools } from './memory-tool-names.ts'

/** A knowledge graph, and what is kept in it. */
export interface GraphMemoryOptions extends McpMemoryParts {
  readonly tools: GraphTools
  readonly clock: { now(): number }
  /** Most facts of a person. */
  readonly factsPerPerson: number
}

/** A server gives all facts of a person in one result: no more than so many, and so many characters of them, are added. */
const maxFacts = 2_000
const maxCharacters = 400_000

const entity = z.object({ name: z.string(), observations: z.array(z.string()).max(20_000) })
const opened = z.object({ entities: z.array(entity).max(1_000) })
const done = z.looseObject({})
const factPage = page({ name: 'facts', item: z.custom<Fact>(), key: z.tuple([z.number(), z.string()]) })

/**
 * Facts in a knowledge graph: each person is an entity of the name of their DID, each fact one of its observations. Writes go
 * one after the other, because such servers read, change and write a whole file.
 */
export const graphMemory = ({ tools, clock, factsPerPerson, ...parts }: GraphMemoryOptions): FactStore => {
  const call = callMemory(parts)
  const writes = new KeyedQueue({ maxWaiting: 100 })
  const write = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => writes.run('graph', work, signal)

  /** The observations of a person; undefined where the graph does not have them. */
  const observationsOf = async (did: string, signal?: AbortSignal): Promise<readonly string[] | undefined> => {
    const { entities } = await call(tools.open, { names: [did] }, opened, signal)
    const own = entities.filter(({ name }) => name === did)
    if (own.length < entities.length) {
      parts.log.warn('the remote memory returned facts of another person; they were dropped', {
        entities: entities.length - own.length,
      })
    }
    return own.length === 0 ? undefined : own.flatMap(({ observations }) => observations)
  }

  const factsOf = async (did: string, signal?: AbortSignal): Promise<readonly Fact[]> =>
    latestFacts((await observationsOf(did, signal)) ?? [])

  const remove = (did: string, observations: readonly string[], signal?: AbortSignal) =>
    call(tools.remove, { deletions: [{ entityName: did, observations: [...observations] }] }, done, signal)

  return {
    remember: ({ did }, reported, key, signal) =>
      write(async () => {
        const before = await observationsOf(did, signal)
        const facts = latestFacts(before ?? [])
        const known = facts.find(({ id, text }) => id === factIdOf(did, key) || textOf(text) === textOf(reported.text))
        const fact = refreshed(reported, known, { id: factIdOf(did, key), now: clock.now() })
        const max = Math.min(factsPerPerson, maxFacts)
        const characters = (before ?? []).reduce((sum, { length }) => sum + length, 0)
        if (!known && facts.length >= max) throw memoryErrors.memory_full({ most: max })
        if (characters + observationOf(fact).length > maxCharacters)
          throw memoryErrors.memory_full({ most: facts.length })
        if (before === undefined) {
          await call(tools.create, { entities: [{ name: did, entityType: 'person', observations: [] }] }, done, signal)
        }
        // The new one first: where the second call fails, the later of two with one id counts.
        await call(tools.add, { observations: [{ entityName: did, contents: [observationOf(fact)] }] }, done, signal)
        const former = (before ?? []).filter(
          one => factOfObservation(one).id === fact.id && one !== observationOf(fact),
        )
        if (former.length > 0) await remove(did, former, signal)
        return { fact, isNew: !known }
      }, signal),

    async recall(did, text, limit, signal) {
      const facts = await factsOf(did, signal)
      const now = clock.now()
      const question = wordsOfQuestion(text)
      if (question.length === 0) {
        const important = facts.toSorted((one, other) => standing(other, now) - standing(one, now))
        return important.slice(0, limit).map(fact => ({ fact, isRelevant: false }))
      }
      const all = facts.map(fact => ({ fact, words: wordsOfFact(fact.text, fact.tags) }))
      const roots = all.map(({ words }) => rootsOf(words))
      const has = (index: number, root: string) => roots[index]?.some(one => one.startsWith(root)) === true
      const found = all.filter((_, index) => question.some(({ root }) => has(index, root)))
      const worths = question.map(({ root }) =>
        worthOf(all.filter((_, index) => has(index, root)).length, facts.length),
      )
      return rankFacts(found, question, worths, { facts: facts.length, now }).slice(0, limit)
    },

    forget: (did, id, signal) =>
      write(async () => {
        const observations = (await observationsOf(did, signal)) ?? []
        const gone = observations.filter(one => factOfObservation(one).id === id)
        if (gone.length > 0) await remove(did, gone, signal)
        return gone.length > 0
      }, signal),

    forgetAll: (did, signal) =>
      write(async () => {
        const facts = await factsOf(did, signal)
        await call(tools.erase, { entityNames: [did] }, done, signal)
        return facts.length
      }, signal),

    async list(did, limit, cursor, signal) {
      const before = factPage.read(cursor)
      const facts = (await factsOf(did, signal)).toSorted((one, other) => inOrder(keyOf(one), keyOf(other)))
      const rest = before ? facts.filter(fact => inOrder(before, keyOf(fact)) < 0) : facts
      return factPage.make(rest.slice(0, limit + 1), { limit, keyOf, itemOf: fact => fact })
    },
  }
}

const keyOf = ({ updatedAt, id }: Fact): [number, string] => [updatedAt, id]

/** Orders by time, the latest first, and then by id. */
const inOrder = ([at, id]: readonly [number, string], [otherAt, otherId]: readonly [number, string]): number =>
  otherAt - at || (id < otherId ? -1 : Number(id > otherId))

/** Of two observations with one id, the later one counts. */
const latestFacts = (observations: readonly string[]): readonly Fact[] => {
  const byId = new Map<string, Fact>()
  for (const fact of observations.map(factOfObservation)) {
    const known = byId.get(fact.id)
    if (known === undefined || known.updatedAt <= fact.updatedAt) byId.set(fact.id, fact)
  }
  return [...byId.values()]
}

const refreshed = (
  reported: NewFact,
  known: Fact | undefined,
  made: { readonly id: string; readonly now: number },
): Fact => ({
  id: known?.id ?? made.id,
  text: reported.text,
  tags: [...new Set([...reported.tags, ...(known?.tags ?? [])])].slice(0, maxTags),
  importance: reported.importance ?? known?.importance ?? usualImportance,
  createdAt: known?.createdAt ?? made.now,
  updatedAt: made.now,
})

/** The same for texts that differ in case, spaces and final points alone. */
const textOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/u, '')

const mark = ' [sibyl '

const details = z.object({
  id: z.string().regex(/^[0-9a-z]{1,40}$/),
  tags: z.array(z.string().max(maxTag)).max(maxTags),
  importance: z.int().min(1).max(5),
  createdAt: z.int().min(0),
  updatedAt: z.int().min(0),
})

/** Returns a fact as an observation of a knowledge graph: its text, and behind it what a graph has no place for. */
const observationOf = ({ text, ...rest }: Fact): string =>
  `${text}${mark}${JSON.stringify(details.parse(rest)).replaceAll('[sibyl', '\\u005bsibyl')}]`

/** Returns the fact of an observation. One of another client has its text alone, and an id of that. */
const factOfObservation = (observation: string): Fact => {
  const at = observation.lastIndexOf(mark)
  const known = at < 0 ? undefined : details.safeParse(parseJson(observation.slice(at + mark.length, -1))).data
  if (known !== undefined) return { text: observation.slice(0, at).slice(0, maxFactText), ...known }
  const id = `g${createHash('sha256').update(observation).digest('hex').slice(0, 20)}`
  return {
    id,
    text: observation.slice(0, maxFactText),
    tags: [],
    importance: usualImportance,
    createdAt: 0,
    updatedAt: 0,
  }
}
