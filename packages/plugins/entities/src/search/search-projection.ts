import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { latestChanges, type Projection } from '../storage/projection.ts'
import { indexedWords } from './indexed-words.ts'
import { postgresSearchIndex } from './postgres-search-index.ts'
import type { SearchDocument, SearchIndex } from './search-index.ts'
import { sqliteSearchIndex } from './sqlite-search-index.ts'

export const createSearchIndex = ({ engine, read }: EntitiesStorage): SearchIndex =>
  engine === 'sqlite' ? sqliteSearchIndex(read) : postgresSearchIndex(read)

/** Updates the index with the current words of active entities. */
export const searchProjection = (index: SearchIndex): Projection => ({
  async apply(changes, tx) {
    const added: SearchDocument[] = []
    const replaced: SearchDocument[] = []
    const removed: string[] = []
    for (const { before, after } of latestChanges(changes)) {
      if (after.status !== 'active') {
        if (before?.status === 'active') removed.push(after.id)
      } else if (before === undefined) added.push({ id: after.id, ...indexedWords(after) })
      else if (saysOther(before, after)) replaced.push({ id: after.id, ...indexedWords(after) })
    }
    if (added.length > 0) await index.add(added, tx)
    if (replaced.length > 0) await index.replace(replaced, tx)
    if (removed.length > 0) await index.remove(removed, tx)
  },
})

/** Returns whether the words of an entity may have changed; most changes are of its edges and credentials. */
const saysOther = (before: StoredEntity, after: StoredEntity): boolean =>
  before.status !== after.status ||
  before.type !== after.type ||
  before.protocol?.did !== after.protocol?.did ||
  differs(before.alsoKnownAs, after.alsoKnownAs) ||
  differs(before.properties, after.properties)

const differs = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other)
