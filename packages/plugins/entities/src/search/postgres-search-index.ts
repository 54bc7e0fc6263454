import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findParts, type SearchDocument, type SearchIndex, type SearchPart, type SoughtWord } from './search-index.ts'

/** Creates the index on PostgreSQL: tsvectors are built here, independent of any text search configuration. */
export const postgresSearchIndex = (read: EntitiesStorage['read']): SearchIndex => ({
  add: put,
  replace: put,
  async remove(ids, tx) {
    await sql`
      delete from entities_search
      where entity_id in (select json_array_elements_text(${JSON.stringify(ids)}::json))`.execute(tx)
  },
  find: parts =>
    findParts(
      read,
      parts,
      part => sql`select entity_id from entities_search_find(${queryOf(part)}::tsquery, ${part.limit}) as entity_id`,
    ),
})

const put = async (documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void> => {
  const rows = JSON.stringify(documents.map(document => [document.id, vectorOf(document)]))
  await sql`
    insert into entities_search (entity_id, words)
    select row ->> 0, (row ->> 1)::tsvector from json_array_elements(${rows}::json) as row
    on conflict (entity_id) do update set words = excluded.words`.execute(tx)
}

/** Returns a tsvector as text; A marks names. Words contain only letters and digits, so nothing is escaped. */
const vectorOf = ({ names, words, facets }: SearchDocument): string =>
  [...names.map(name => `'${name}':1A`), ...[...words, ...facets].map(word => `'${word}':1`)].join(' ')

const queryOf = ({ words, inNames, facets }: SearchPart): string =>
  [...words.map(word => termOf(word, inNames)), ...facets.map(facet => `'${facet}'`)].join(' & ')

const termOf = ({ word, prefix }: SoughtWord, inNames: boolean): string =>
  prefix || inNames ? `'${word}':${prefix ? '*' : ''}${inNames ? 'A' : ''}` : `'${word}'`
