import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findParts, type SearchDocument, type SearchIndex, type SearchPart, type SoughtWord } from './search-index.ts'

/**
 * Creates the index on SQLite: FTS5 without content and positions. Rows are one parameter, so that the statement is the
 * same for any number of them and prepared once.
 */
export const sqliteSearchIndex = (read: EntitiesStorage['read']): SearchIndex => ({
  add,
  async replace(documents, tx) {
    const ids = documents.map(({ id }) => id)
    await remove(ids, tx)
    await add(documents, tx)
  },
  remove,
  find: parts =>
    findParts(
      read,
      parts,
      part => sql`
        select entity_id
        from (
          select rowid as found from entities_search
          where entities_search match ${matchOf(part)} order by rowid desc limit ${part.limit}
        ) cross join entities_search_documents on document = found`,
    ),
})

const add = async (documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void> => {
  const rows = JSON.stringify(
    documents.map(({ id, names, words, facets }) => [id, names.join(' '), [...words, ...facets].join(' ')]),
  )
  await sql`
    insert into entities_search_documents (entity_id)
    select value ->> 0 from json_each(${rows})`.execute(tx)
  await sql`
    insert into entities_search (rowid, names, words)
    select document, value ->> 1, value ->> 2
    from json_each(${rows}) cross join entities_search_documents on entity_id = value ->> 0`.execute(tx)
}

const remove = async (ids: readonly string[], tx: EntitiesTransaction): Promise<void> => {
  const chosen = sql`
    select document from json_each(${JSON.stringify(ids)}) cross join entities_search_documents on entity_id = value`
  await sql`delete from entities_search where rowid in (${chosen})`.execute(tx)
  await sql`delete from entities_search_documents where document in (${chosen})`.execute(tx)
}

/** Returns an FTS5 query. Words contain only letters and digits, so none has a special meaning. */
const matchOf = ({ words, inNames, facets }: SearchPart): string =>
  [...words.map(word => `${inNames ? 'names : ' : ''}${termOf(word)}`), ...facets.map(facet => `"${facet}"`)].join(
    ' AND ',
  )

const termOf = ({ word, prefix }: SoughtWord): string => (prefix ? `"${word}" *` : `"${word}"`)
