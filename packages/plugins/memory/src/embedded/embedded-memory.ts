import type { Clock } from '@sibyl/plugin'
import { deleteInParts, sql } from '@sibyl/plugin/storage'
import { isFactId } from '../facts/fact.ts'
import type { FactStore, FoundFact } from '../facts/fact-store.ts'
import { memoryErrors } from '../memory-errors.ts'

import { factOfRow, factsByNumber, mostImportant } from './fact-rows.ts'
import { keepFact } from './keep-fact.ts'
import type { MemoryStorage } from './memory-tables.ts'
import { rankFacts, worthOf } from './rank-facts.ts'
import { rootsOf, wordsOfQuestion } from './telling-words.ts'
import { findWords, mostWithWord, type Postings, removeWords } from './word-index.ts'

/** What the embedded memory rests on. */
export interface EmbeddedMemoryParts {
  readonly storage: MemoryStorage
  readonly clock: Clock
  /** Most facts of a holder. */
  readonly factsPerPerson: number
}

/** Of the facts that have words of a question, so many are compared. */
const mostCompared = 80

/** With so few rows a person is forgotten in one write. */
const fewRows = 200

/** Facts in the app's database, with a full-text index of each person's own. */
export const embeddedMemory = ({ storage, clock, factsPerPerson }: EmbeddedMemoryParts): FactStore => {
  const { read } = storage
  const personOf = async (did: string) =>
    read.selectFrom('memory_people').select(['person', 'facts']).where('did', '=', did).executeTakeFirst()

  return {
    remember: (owner, fact, key) => keepFact({ storage, factsPerPerson, now: clock.now() }, owner, fact, key),

    async recall(did, text, limit) {
      const person = await personOf(did)
      if (!person || person.facts === 0) return []
      const question = wordsOfQuestion(text)
      if (question.length === 0) return (await mostImportant(read, person.person, limit, clock.now())).map(unasked)
      const found = await findWords(
        storage,
        person.person,
        question.map(({ root }) => root),
      )
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
            .where('memory_people.did', '=', did)
            .where('memory_facts.id', '=', id)
            .executeTakeFirst()
          if (!row) return false
          const { fact, person } = row
          await removeWords(tx, { person, fact, roots: rootsOf(row.words.split(' ')) })
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
      // The row of the person goes last: where a crash ends it, the next call goes on.
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
      const before = cursor === undefined ? undefined : positionOf(cursor)
      const person = await personOf(did)
      if (!person) return { facts: [] }
      let query = read
        .selectFrom('memory_facts')
        .selectAll()
        .where('person', '=', person.person)
        .orderBy('updated_at', 'desc')
        .orderBy('fact', 'desc')
        .limit(limit + 1)
      if (before) {
        query = query.where(eb =>
          eb.or([
            eb('updated_at', '<', before.updatedAt),
            eb.and([eb('updated_at', '=', before.updatedAt), eb('fact', '<', before.fact)]),
          ]),
        )
      }
      const rows = await query.execute()
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return {
        facts: shown.map(factOfRow),
        ...(rows.length > limit && last ? { next: cursorOf(last.updated_at, last.fact) } : {}),
      }
    },
  }
}

const unasked = (fact: FoundFact['fact']): FoundFact => ({ fact, isRelevant: false })

/** The facts whose words are worth most together, and of equals the latest. */
const likeliest = (postings: readonly Postings[], worths: readonly number[]): readonly number[] => {
  const scores = new Map<number, number>()
  for (const [index, { exact, longer }] of postings.entries()) {
    const worth = worths[index]!
    for (const fact of exact) scores.set(fact, (scores.get(fact) ?? 0) + worth)
    if (exact.length >= mostWithWord) continue
    for (const fact of longer) scores.set(fact, (scores.get(fact) ?? 0) + worth / 2)
  }
  return [...scores]
    .sort(([one, worth], [other, otherWorth]) => otherWorth - worth || other - one)
    .slice(0, mostCompared)
    .map(([fact]) => fact)
}

const cursorOf = (updatedAt: number, fact: number): string => Buffer.from(`${updatedAt}.${fact}`).toString('base64url')

const positionOf = (cursor: string): { readonly updatedAt: number; readonly fact: number } => {
  const [, updatedAt, fact] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (updatedAt === undefined) throw memoryErrors.memory_cursor_invalid()
  return { updatedAt: Number(updatedAt), fact: Number(fact) }
}
