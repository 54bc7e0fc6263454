import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import type { ListedEntity, TermDocument, TermIndex, TermQuery } from './term-index.ts'

const window = 262_144

/**
 * Creates the index on PostgreSQL: an array of terms with a GIN index. The planner uses it for rare terms, and steps
 * backward through the positions of the window for common ones.
 */
export const postgresTermIndex = (read: EntitiesStorage['read']): TermIndex => ({
  window,
  async add(documents, tx) {
    await sql`
      insert into entities_listing (entity_id, terms)
      select value ->> 0, (value ->> 1)::bigint[] from json_array_elements(${rowsOf(documents)}::json)
    `.execute(tx)
  },
  async replace(documents, tx) {
    await sql`
      update entities_listing set terms = (value ->> 1)::bigint[]
      from json_array_elements(${rowsOf(documents)}::json) where entity_id = value ->> 0
    `.execute(tx)
  },
  async find(query) {
    const { rows } = await findStatement(query).execute(read)
    return rows
  },
})

export const findStatement = ({ terms, from, before, limit }: TermQuery) => sql<ListedEntity>`
  select position, entity_id as id from entities_listing
  where position >= ${from} and position < ${before}
  ${terms.length === 0 ? sql`` : sql`and terms @> ${arrayOf(terms)}::bigint[]`}
  order by position desc limit ${limit}`

const rowsOf = (documents: readonly TermDocument[]): string =>
  JSON.stringify(documents.map(({ id, terms }) => [id, arrayOf(terms)]))

const arrayOf = (terms: readonly number[]): string => `{${terms.join(',')}}`
