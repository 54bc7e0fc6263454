import { createHash } from 'node:crypto'
import { toJson } from '@sibyl/plugin/storage'
import { type Fact, factIdOf, maxTags, type NewFact, usualImportance } from '../facts/fact.ts'
import type { FactOwner, RememberedFact } from '../facts/fact-store.ts'
import { memoryErrors } from '../facts/memory-errors.ts'
import { rootsOf, wordsOfFact } from '../facts/significant-words.ts'
import type { MemoryStorage, MemoryTransaction } from './memory-tables.ts'
import { factWords } from './word-index.ts'

/**
 * Stores a fact and its words, or refreshes the fact with the same text; a repeated call returns its own.
 *
 * @throws `memory_full`
 */
export const keepFact = (
  {
    storage,
    factsPerPerson,
    now,
  }: { readonly storage: MemoryStorage; readonly factsPerPerson: number; readonly now: number },
  { did, holder = did }: FactOwner,
  reported: NewFact,
  key: string,
): Promise<RememberedFact> =>
  storage.write(async tx => {
    const index = factWords(storage.engine)
    const { person, facts } = await personOf(tx, did, holder)
    const text = textOf(reported.text)
    const known = await tx
      .selectFrom('memory_facts')
      .selectAll()
      .where(eb => eb.and({ person, saying: text }))
      .executeTakeFirst()
    const fact: Fact = {
      id: known?.id ?? factIdOf(did, key),
      text: reported.text,
      tags: [...new Set([...reported.tags, ...(known?.tags ?? [])])].slice(0, maxTags),
      importance: reported.importance ?? known?.importance ?? usualImportance,
      createdAt: known?.created_at ?? now,
      updatedAt: now,
    }
    const words = wordsOfFact(fact.text, fact.tags)
    const changed = {
      text: fact.text,
      tags: toJson(fact.tags),
      importance: fact.importance,
      updated_at: now,
      words: words.join(' '),
    }
    if (known) {
      await tx.updateTable('memory_facts').set(changed).where('fact', '=', known.fact).execute()
      if (changed.words !== known.words) {
        const item = { owner: person, item: known.fact }
        await index.remove(tx, item, rootsOf(known.words.split(' ')))
        await index.add(tx, item, rootsOf(words))
      }
      return { fact, isNew: false }
    }
    if (facts + (await factsOfOthers(tx, person, holder)) >= factsPerPerson)
      throw memoryErrors.memory_full({ most: factsPerPerson })
    const row = { person, id: fact.id, saying: text, created_at: now, ...changed }
    const { fact: number } = await tx.insertInto('memory_facts').values(row).returning('fact').executeTakeFirstOrThrow()
    await index.add(tx, { owner: person, item: number }, rootsOf(words))
    await tx
      .updateTable('memory_people')
      .set({ facts: facts + 1 })
      .where('person', '=', person)
      .execute()
    return { fact, isNew: true }
  }, onePersonAtATime)

/** Transaction options for writes that lock the row of the person first, so that later reads stay valid. */
const onePersonAtATime = { isolation: 'read committed' } as const

const personOf = (tx: MemoryTransaction, did: string, holder: string) =>
  tx
    .insertInto('memory_people')
    .values({ did, holder, facts: 0 })
    .onConflict(conflict => conflict.column('did').doUpdateSet({ holder }))
    .returning(['person', 'facts'])
    .executeTakeFirstOrThrow()

/** Counts the facts of other people with the same holder. */
const factsOfOthers = async (tx: MemoryTransaction, person: number, holder: string): Promise<number> => {
  const { sum } = await tx
    .selectFrom('memory_people')
    .select(({ fn }) => fn.sum<number>('facts').as('sum'))
    .where('holder', '=', holder)
    .where('person', '!=', person)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Returns the same hash for texts that differ only in case, spaces and final periods. */
const textOf = (text: string): string => {
  const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  return createHash('sha256')
    .update(plain.replace(/[.!]+$/u, ''))
    .digest('base64url')
}
