import { erasedMark } from '@sibyl/core'
import { toJson } from '@sibyl/core/storage'
import type { ClaimsStorage, CollectionDetails } from '../storage/claims-tables.ts'

/**
 * Removes a person from collections: the oracle controls and judges in their place, so that claims can still be decided.
 * Titles, conditions and guidance are rules of a programme, and stay.
 */
export const eraseFromCollections = async (storage: ClaimsStorage, did: string, oracle: string): Promise<void> => {
  const mark = erasedMark(did)
  await storage.write(
    async tx => {
      const rows = await tx.selectFrom('claims_collections').select(['id', 'controller', 'details']).execute()
      for (const { id, controller, details } of rows) {
        const names = [details.submitters, ...details.evaluators, details.verifier].flat()
        if (controller !== did && !names.includes(did)) continue
        await tx
          .updateTable('claims_collections')
          .set({ controller: controller === did ? oracle : controller, details: toJson(without(details)) })
          .where('id', '=', id)
          .execute()
        await tx
          .insertInto('claims_collection_parties')
          .values({ party: oracle, collection_id: id })
          .onConflict(conflict => conflict.doNothing())
          .execute()
      }
      await tx.deleteFrom('claims_collection_parties').where('party', '=', did).execute()
    },
    { scrub: true },
  )

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
