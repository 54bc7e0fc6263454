import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import type { IndexedWords } from './indexed-words.ts'

/** An entity's words for the index. */
export interface SearchDocument extends IndexedWords {
  readonly id: string
}

export interface SoughtWord {
  readonly word: string
  /** True if longer words that begin with it match as well. */
  readonly prefix: boolean
}

/** A search for entities that have all of the words and all of the facets. */
export interface SearchPart {
  readonly words: readonly SoughtWord[]
  /** True if the words must be in its names. */
  readonly inNames: boolean
  readonly facets: readonly string[]
  /** Maximum number of results; the newest are returned. */
  readonly limit: number
}

/** An index of the words of all active entities, in the database. It selects entities; another module ranks them. */
export interface SearchIndex {
  /** Adds new documents. */
  add(documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void>
  /** Replaces the words of entities. */
  replace(documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void>
  remove(ids: readonly string[], tx: EntitiesTransaction): Promise<void>
  /** Returns the ids that each part finds, in one read of the index. */
  find(parts: readonly SearchPart[]): Promise<readonly (readonly string[])[]>
}

/** Reads all parts in one statement. @param select returns the SQL of one part, with `entity_id` */
export const findParts = async (
  read: EntitiesStorage['read'],
  parts: readonly SearchPart[],
  select: (part: SearchPart) => ReturnType<typeof sql>,
): Promise<readonly (readonly string[])[]> => {
  const found: string[][] = parts.map(() => [])
  if (parts.length === 0) return found
  const selects = parts.map(
    (part, index) => sql`select ${sql.lit(index)} as part, entity_id from (${select(part)}) as one`,
  )
  const { rows } = await sql<{ part: number; entity_id: string }>`${sql.join(selects, sql` union all `)}`.execute(read)
  for (const { part, entity_id } of rows) found[part]?.push(entity_id)
  return found
}
