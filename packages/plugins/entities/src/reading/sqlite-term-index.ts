import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import type { ListedEntity, TermDocument, TermIndex, TermQuery } from './term-index.ts'

const window = 65_536

/**
 * Creates the index on SQLite: an FTS5 table that only stores which words are in which row. FTS5 steps through the rows
 * of a word one by one until it reaches the start, so the number of the window is part of each word.
 */
export const sqliteTermIndex = (read: EntitiesStorage['read']): TermIndex => ({
  window,
  async add(documents, tx) {
    const ids = JSON.stringify(documents.map(({ id }) => id))
    const { rows } = await sql<{ position: number; entity_id: string }>`
      insert into entities_listing (entity_id) select value from json_each(${ids}) returning position, entity_id
    `.execute(tx)
    await insertWords(documents, rows, tx)
  },
  async replace(documents, tx) {
    const ids = JSON.stringify(documents.map(({ id }) => id))
    const { rows } = await sql<{ position: number; entity_id: string }>`
      select position, entity_id from json_each(${ids}) cross join entities_listing on entity_id = value
    `.execute(tx)
    const positions = JSON.stringify(rows.map(({ position }) => position))
    await sql`delete from entities_terms where rowid in (select value from json_each(${positions}))`.execute(tx)
    await insertWords(documents, rows, tx)
  },
  async find(query) {
    const { rows } = await findStatement(query).execute(read)
    return rows
  },
})

export const findStatement = ({ terms, from, before, limit }: TermQuery) =>
  terms.length === 0
    ? sql<ListedEntity>`
        select position, entity_id as id from entities_listing
        where position >= ${from} and position < ${before} order by position desc limit ${limit}`
    : sql<ListedEntity>`
        select position, entity_id as id from (
          select rowid as found from entities_terms
          where entities_terms match ${wordsAt(from, terms).join(' AND ')} and rowid < ${before}
          order by rowid desc limit ${limit}
        ) cross join entities_listing on position = found order by found desc`

const insertWords = async (
  documents: readonly TermDocument[],
  positions: readonly { readonly position: number; readonly entity_id: string }[],
  tx: EntitiesTransaction,
): Promise<void> => {
  const positionOf = new Map(positions.map(({ position, entity_id }) => [entity_id, position]))
  const rows = documents.flatMap(({ id, terms }) => {
    const position = positionOf.get(id)
    return position === undefined ? [] : [[position, wordsAt(position, terms).join(' ')] as const]
  })
  await sql`
    insert into entities_terms (rowid, terms)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(rows)})
  `.execute(tx)
}

/** Returns terms as words of letters and digits: the window, and the term in ten characters. */
const wordsAt = (position: number, terms: readonly number[]): readonly string[] => {
  const prefix = `w${Math.floor(position / window).toString(36)}`
  return terms.map(term => prefix + term.toString(36).padStart(10, '0'))
}
