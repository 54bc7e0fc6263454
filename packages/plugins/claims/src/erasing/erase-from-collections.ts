import { erasedMark } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { ClaimsStorage, ClaimsTransaction, CollectionDetails } from '../definitions/claims-tables.ts'

/** Maximum number of collections in one read and one write. */
const pageSize = 100

/**
 * Removes a person from collections. The oracle takes over as controller and evaluator, so that claims can still be
 * decided. Titles, conditions and guidance are rules of a program, and stay.
 */
export const eraseFromCollections = async (storage: ClaimsStorage, did: string, oracle: string): Promise<void> => {
  const mark = erasedMark(did)
  for (let after = ''; ; ) {
    const page = await storage.read
      .selectFrom('claims_collections')
      .select(['id', 'controller', 'details'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = page.at(-1)
    if (!last) break
    after = last.id
    const ids = page.filter(isNamedIn).map(({ id }) => id)
    if (ids.length > 0) await storage.write(tx => eraseFrom(ids, tx), { scrub: true, log: 'copied' })
    else await new Promise(resume => setImmediate(resume))
  }
  await storage.write(tx => tx.deleteFrom('claims_collection_parties').where('party', '=', did).execute(), {
    scrub: true,
  })

  function isNamedIn({ controller, details }: { readonly controller: string; readonly details: CollectionDetails }) {
    return [controller, details.submitters, ...details.evaluators, details.verifier].flat().includes(did)
  }

  async function eraseFrom(ids: readonly string[], tx: ClaimsTransaction): Promise<void> {
    const rows = await tx
      .selectFrom('claims_collections')
      .select(['id', 'controller', 'details'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, controller, details } of rows) {
      await tx
        .updateTable('claims_collections')
        .set({ controller: controller === did ? oracle : controller, details: toJson(without(details)) })
        .where('id', '=', id)
        .execute()
      const evaluates = details.evaluators.includes(did) || details.evaluators.includes(oracle)
      await tx
        .insertInto('claims_collection_parties')
        .values({ party: oracle, collection_id: id, evaluates })
        .onConflict(conflict => conflict.columns(['party', 'collection_id']).doUpdateSet({ evaluates }))
        .execute()
    }
  }

  function without(details: CollectionDetails): CollectionDetails {
    const { submitters, evaluators, verifier } = details
    return {
      ...details,
      submitters: Array.isArray(submitters) ? submitters.map(one => (one === did ? mark : one)) : submitters,
      evaluators: [...new Set(evaluators.map(one => (one === did ? oracle : one)))],
      ...(verifier === undefined ? {} : { verifier: verifier === did ? mark : verifier }),
    }
  }
}
