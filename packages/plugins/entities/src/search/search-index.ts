import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import type { IndexedWords } from './indexed-words.ts'

/** Terms or words of an entity in the index. */
export interface SearchDocument extends IndexedWords {
  readonly id: string
}

export interface SoughtWord {
  readonly word: string
  /** True if longer words that begin with it match as well. */
  readonly prefix: boolean
}

/** Entities that have all of the words and all of the facets. */
export interface SearchPart {
  readonly words: readonly SoughtWord[]
  /** True if the words must be in its names. */
  readonly inNames: boolean
  readonly facets: readonly string[]
  /** At most so many; those that came last. */
  readonly limit: number
}

/** The words of all entities in use, in the database. It finds; which of them comes first is decided elsewhere. */
export interface SearchIndex {
  /** Adds documents that it does not hold yet. */
  add(documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void>
  /** Puts other words in the place of those of entities. */
  replace(documents: readonly SearchDocument[], tx: EntitiesTransaction): Promise<void>
  remove(ids: readonly string[], tx: EntitiesTransaction): Promise<void>
  /** Returns the ids that each part finds, by one read of the index alone. */
  find(parts: readonly SearchPart[]): Promise<readonly (readonly string[])[]>
}

/** Reads all parts in one statement. @param select the SQL of one part, giving `entity_id` */
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
