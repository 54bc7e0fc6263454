import { type Clock, page, type WordMatches } from '@sibyl/plugin'
import { deleteInParts, type Selectable, sql } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { type Fact, isFactId } from '../facts/fact.ts'
import type { FactStore, FoundFact } from '../facts/fact-store.ts'
import { type Candidate, rankFacts, standing, worthOf } from '../facts/rank-facts.ts'
import { rootsOf, wordsOfQuestion } from '../facts/significant-words.ts'
import { keepFact } from './keep-fact.ts'
import type { MemoryStorage, MemoryTables } from './memory-tables.ts'
import { factWords } from './word-index.ts'

export interface EmbeddedMemoryDependencies {
  readonly storage: MemoryStorage
  readonly clock: Clock
  /** Maximum number of facts of a holder. */
  readonly factsPerPerson: number
}

const factPage = page({ name: 'facts', item: z.custom<Fact>(), key: z.tuple([z.number(), z.int()]) })

/** Maximum number of facts with words of a query that are ranked. */
const maxCompared = 80

/** Maximum number of facts per word, the latest ones. */
const maxWithWord = 1_000

/** Maximum number of rows with which a person is erased in one write. */
const fewRows = 200

/** Creates the memory in the app's database, with a separate full-text index for each person. */
export const embeddedMemory = ({ storage, clock, factsPerPerson }: EmbeddedMemoryDependencies): FactStore => {
  const { read } = storage
  const index = factWords(storage.engine)
  const personOf = async (did: string) =>
    read.selectFrom('memory_people').select(['person', 'facts']).where('did', '=', did).executeTakeFirst()

  return {
    remember: (owner, fact, key) => keepFact({ storage, factsPerPerson, now: clock.now() }, owner, fact, key),

    async recall(did, text, limit) {
      const person = await personOf(did)
      if (!person || person.facts === 0) return []
      const question = wordsOfQuestion(text)
      if (question.length === 0) return (await mostImportant(read, person.person, limit, clock.now())).map(unasked)
      const roots = question.map(({ root }) => root)
      const found = await index.find(read, person.person, roots, { exact: maxWithWord })
      const postings = question.map(({ root }) => found.get(root) ?? { exact: [], longer: [] })
      const worths = postings.map(({ exact, longer }) => worthOf(exact.length + longer.length, person.facts))
      const numbers = likeliest(postings, worths)
      const candidates = await factsByNumber(storage, numbers)
      return rankFacts(candidates, question, worths, { facts: person.facts, now: clock.now() }).slice(0, limit)
    },

    forget: async (did, id) => {
      if (!isFactId(id)) return false
      return storage.write(
        async tx => {
          const row = await tx
            .selectFrom('memory_facts')
            .innerJoin('memory_people', 'memory_people.person', 'memory_facts.person')
            .select(['memory_facts.fact', 'memory_facts.person', 'memory_facts.words'])
            .where(eb => eb.and({ 'memory_people.did': did, 'memory_facts.id': id }))
            .executeTakeFirst()
          if (!row) return false
          const { fact, person } = row
          await index.remove(tx, { owner: person, item: fact }, rootsOf(row.words.split(' ')))
          await tx.deleteFrom('memory_facts').where('fact', '=', fact).execute()
          await tx
            .updateTable('memory_people')
            .set({ facts: sql<number>`facts - 1` })
            .where('person', '=', person)
            .execute()
          return true
        },
        { scrub: true },
      )
    },

    async forgetAll(did) {
      const known = await personOf(did)
      if (!known) return 0
      // The row of the person comes last: after a crash, the next call continues.
      const inParts = { scrub: true, leave: fewRows }
      const early = await deleteInParts(storage, {
        table: 'memory_facts',
        key: ['fact'],
        where: eb => eb('person', '=', known.person),
        ...inParts,
      })
      await deleteInParts(storage, {
        table: 'memory_words',
        key: ['person', 'root', 'fact'],
        where: eb => eb('person', '=', known.person),
        ...inParts,
      })
      const late = await storage.write(
        async tx => {
          const row = await tx.selectFrom('memory_people').select('person').where('did', '=', did).executeTakeFirst()
          if (!row) return 0
          const { person } = row
          await tx.deleteFrom('memory_words').where('person', '=', person).execute()
          const gone = await tx.deleteFrom('memory_facts').where('person', '=', person).executeTakeFirst()
          await tx.deleteFrom('memory_people').where('person', '=', person).execute()
          return Number(gone.numDeletedRows)
        },
        { scrub: true },
      )
      return early + late
    },

    async list(did, limit, cursor) {
      const before = factPage.read(cursor)
      const person = await personOf(did)
      if (!person) return { facts: [] }
      let query = read
        .selectFrom('memory_facts')
        .selectAll()
        .where('person', '=', person.person)
        .orderBy('updated_at', 'desc')
        .orderBy('fact', 'desc')
        .limit(limit + 1)
      if (before) query = query.where(eb => eb(eb.refTuple('updated_at', 'fact'), '<', eb.tuple(...before)))
      return factPage.make(await query.execute(), {
        limit,
        keyOf: row => [row.updated_at, row.fact],
        itemOf: factOfRow,
      })
    },
  }
}

const unasked = (fact: FoundFact['fact']): FoundFact => ({ fact, isRelevant: false })

/** Returns the facts whose words have the highest total weight; of equal ones, the latest. */
const likeliest = (postings: readonly WordMatches[], worths: readonly number[]): readonly number[] => {
  const scores = new Map<number, number>()
  for (const [index, { exact, longer }] of postings.entries()) {
    const worth = worths[index]!
    for (const fact of exact) scores.set(fact, (scores.get(fact) ?? 0) + worth)
    if (exact.length >= maxWithWord) continue
    for (const fact of longer) scores.set(fact, (scores.get(fact) ?? 0) + worth / 2)
  }
  return [...scores]
    .sort(([one, worth], [other, otherWorth]) => otherWorth - worth || other - one)
    .slice(0, maxCompared)
    .map(([fact]) => fact)
}

type FactRow = Pick<
  Selectable<MemoryTables['memory_facts']>,
  'id' | 'text' | 'tags' | 'importance' | 'created_at' | 'updated_at'
>

const factOfRow = ({ id, text, tags, importance, created_at, updated_at }: FactRow): Fact => ({
  id,
  text,
  tags,
  importance,
  createdAt: created_at,
  updatedAt: updated_at,
})

/** Returns facts with their words; the numbers are one parameter, so that the statement is prepared once. */
const factsByNumber = async (
  { engine, read }: Pick<MemoryStorage, 'engine' | 'read'>,
  numbers: readonly number[],
): Promise<readonly Candidate[]> => {
  if (numbers.length === 0) return []
  const list = JSON.stringify(numbers)
  const wanted =
    engine === 'sqlite'
      ? sql<number>`(select value from json_each(${list}))`
      : sql<number>`(select value::bigint from json_array_elements_text(${list}::json))`
  const rows = await read.selectFrom('memory_facts').selectAll().where('fact', 'in', wanted).execute()
  return rows.map(row => ({ fact: factOfRow(row), words: row.words.split(' ') }))
}

/** Number of a person's latest facts from which the most important are selected. */
const mostRecent = 200

/** Returns a person's most important facts independent of a query, by recency and importance. */
const mostImportant = async (
  read: MemoryStorage['read'],
  person: number,
  limit: number,
  now: number,
): Promise<readonly Fact[]> => {
  const rows = await read
    .selectFrom('memory_facts')
    .selectAll()
    .where('person', '=', person)
    .orderBy('updated_at', 'desc')
    .orderBy('fact', 'desc')
    .limit(mostRecent)
    .execute()
  return rows
    .map(factOfRow)
    .toSorted((one, other) => standing(other, now) - standing(one, now))
    .slice(0, limit)
}
