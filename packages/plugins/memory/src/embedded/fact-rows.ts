import { type Selectable, sql } from '@sibyl/plugin/storage'
import type { Fact } from '../facts/fact.ts'
import { type Candidate, standing } from '../facts/rank-facts.ts'
import type { MemoryStorage, MemoryTables } from './memory-tables.ts'

type FactRow = Pick<
  Selectable<MemoryTables['memory_facts']>,
  'id' | 'text' | 'tags' | 'importance' | 'created_at' | 'updated_at'
>

export const factOfRow = ({ id, text, tags, importance, created_at, updated_at }: FactRow): Fact => ({
  id,
  text,
  tags,
  importance,
  createdAt: created_at,
  updatedAt: updated_at,
})

/** Returns facts with their words; the numbers are one parameter, so that the statement is prepared once. */
export const factsByNumber = async (
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
export const mostImportant = async (
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
