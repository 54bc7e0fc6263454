import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { latestChanges, type Projection } from '../storage/projection.ts'
import { termsOf } from './entity-filters.ts'
import { postgresTermIndex } from './postgres-term-index.ts'
import { sqliteTermIndex } from './sqlite-term-index.ts'
import type { TermDocument, TermIndex } from './term-index.ts'

export const createTermIndex = ({ engine, read }: Pick<EntitiesStorage, 'engine' | 'read'>): TermIndex =>
  engine === 'sqlite' ? sqliteTermIndex(read) : postgresTermIndex(read)

/** Updates the index with the current state of each entity. */
export const termProjection = (index: TermIndex): Projection => ({
  async apply(changes, tx) {
    const added: TermDocument[] = []
    const replaced: TermDocument[] = []
    for (const { before, after } of latestChanges(changes)) {
      if (before === undefined) added.push({ id: after.id, terms: termsOf(after) })
      else if (mayHaveOtherTerms(before, after)) {
        const terms = termsOf(after)
        if (terms.join() !== termsOf(before).join()) replaced.push({ id: after.id, terms })
      }
    }
    if (added.length > 0) await index.add(added, tx)
    if (replaced.length > 0) await index.replace(replaced, tx)
  },
})

/** Most changes affect edges and credentials only, and leave the index as it is. */
const mayHaveOtherTerms = (before: StoredEntity, after: StoredEntity): boolean =>
  before.properties !== after.properties ||
  before.controller !== after.controller ||
  before.status !== after.status ||
  before.domainClass !== after.domainClass
