import type { AfterMove } from '@sibyl/plugin'
import { chainParts } from './history/read-chain.ts'
import { chainStart, verifyChain } from './history/verify-chain.ts'
import { termsOf } from './reading/entity-filters.ts'
import { createTermIndex } from './reading/term-projection.ts'
import type { StoredEntity } from './records/stored-entity.ts'
import { indexedWords } from './search/indexed-words.ts'
import { createSearchIndex } from './search/search-projection.ts'
import type { EntitiesStorage, EntitiesTables } from './storage/entities-tables.ts'
import { findEntities } from './storage/entity-rows.ts'

const pageSize = 200

/** Fills the indexes of lists and of the search, which each engine has in its own form, and verifies all chains. */
export const afterMove: AfterMove<EntitiesTables> = {
  derived: ['entities_search', 'entities_search_documents', 'entities_listing.terms'],
  async run({ storage, keys }) {
    const terms = createTermIndex(storage)
    const words = createSearchIndex(storage)
    const problems: string[] = []
    for (let after = 0; ; ) {
      const listed = await storage.read
        .selectFrom('entities_listing')
        .selectAll()
        .where('position', '>', after)
        .orderBy('position')
        .limit(pageSize)
        .execute()
      const last = listed.at(-1)
      if (last === undefined) return problems
      after = last.position
      const entities = await findEntities(
        storage.read,
        listed.map(row => row.entity_id),
      )
      const inOrder = listed.flatMap(row => entities.get(row.entity_id) ?? [])
      const active = inOrder.filter(({ status }) => status === 'active')
      await storage.write(async tx => {
        await terms.replace(
          inOrder.map(entity => ({ id: entity.id, terms: termsOf(entity) })),
          tx,
        )
        if (active.length === 0) return
        await words.replace(
          active.map(entity => ({ id: entity.id, ...indexedWords(entity) })),
          tx,
        )
      })
      for (const entity of inOrder) problems.push(...(await chainProblems(storage.read, entity, new Set(keys))))
    }
  },
}

const chainProblems = async (
  read: EntitiesStorage['read'],
  entity: StoredEntity,
  keys: ReadonlySet<string>,
): Promise<readonly string[]> => {
  let last: { readonly version: number; readonly hash: string } = chainStart
  for await (const { links } of chainParts(read, entity, { limit: Number.MAX_SAFE_INTEGER })) {
    const { fault } = verifyChain(links, last, keys)
    if (fault) return [`The history of ${entity.did} is invalid at version ${fault.version}: ${fault.check}.`]
    last = links.at(-1) ?? last
  }
  return last.hash === entity.hash ? [] : [`The history of ${entity.did} does not end at its state.`]
}
