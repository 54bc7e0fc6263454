import type { ClaimDetails, EntityDirectory } from '@sibyl/protocol'
import type { Caller } from '../access/caller.ts'
import type { Parties } from '../access/parties.ts'
import { claimsFailures } from '../claims-errors.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { type Claim, claimDetailsOf } from './claim.ts'

import { claimIdOf } from './claim-id.ts'
import type { ClaimStore } from './claim-store.ts'

/** A claim as somebody sees it who has something to do with it. */
export interface SeenClaim {
  readonly claim: Claim
  readonly collection: Collection
  /** What the caller is to it. */
  readonly roles: ReadonlySet<'submitter' | 'asset-controller' | 'evaluator' | 'collection-controller'>
}

/** Reads claims for those who may see them. */
export interface ClaimReader {
  /** Throws `claim_not_found` where there is none, or none that the caller may see. @param id a claim's id or its URI */
  see(id: string, caller: Caller): Promise<SeenClaim>
  /** The same with all that happened to it. */
  details(id: string, caller: Caller): Promise<ClaimDetails>
}

/** Reads claims: submitter, controller of the asset, evaluators and controller of the collection see them. */
export const createClaimReader = (parts: {
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly directory: EntityDirectory
  readonly parties: Parties
}): ClaimReader => {
  const { claims, collections, directory, parties } = parts
  const see = async (id: string, caller: Caller): Promise<SeenClaim> => {
    const claim = await claims.find(claimIdOf(id))
    if (!claim) throw claimsFailures.claim_not_found()
    const [collection, entities] = await Promise.all([
      collections.find(claim.collection),
      claim.asset === undefined ? undefined : directory.find([claim.asset]),
    ])
    if (!collection) throw claimsFailures.claim_not_found()
    const isCaller = (did: string | undefined) => did !== undefined && parties.isSame(did, caller.did)
    const roles = new Set<'submitter' | 'asset-controller' | 'evaluator' | 'collection-controller'>()
    if (isCaller(claim.submitter)) roles.add('submitter')
    const controller = claim.asset === undefined ? undefined : entities?.get(claim.asset)?.controller
    if (isCaller(controller ?? claim.assetController)) roles.add('asset-controller')
    if (collection.evaluators.some(isCaller)) roles.add('evaluator')
    if (isCaller(collection.controller)) roles.add('collection-controller')
    if (roles.size === 0 && !caller.readsAll && !isCaller(claim.assetController)) throw claimsFailures.claim_not_found()
    return { claim, collection, roles }
  }
  return {
    see,
    async details(id, caller) {
      const { claim } = await see(id, caller)
      const steps = await claims.transitions(claim.id)
      return claimDetailsOf(claim, steps)
    },
  }
}
