import { isOracleError } from '@sibyl/plugin'
import type { entityDirectory, personFiles, ServiceOf } from '@sibyl/protocol'
import { type Caller, personOf } from '../access/caller.ts'
import type { Parties } from '../access/parties.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { claimsFailures } from '../definitions/claims-errors.ts'
import type { StoredEvidence } from '../records/claim-records.ts'
import type { ClaimRegister } from '../records/claim-register.ts'
import { type Claim, claimDetailsOf, claimIdOf, claimRecordOf } from './claim.ts'
import { allowedDecisions, type ClaimRole } from './claim-rules.ts'
import type { ClaimStore } from './claim-store.ts'

/** A claim that the caller may see. */
export interface SeenClaim {
  readonly claim: Claim
  readonly collection: Collection
  /** Roles of the caller in the claim. */
  readonly roles: ReadonlySet<ClaimRole>
}

export type ClaimReader = ReturnType<typeof createClaimReader>

/**
 * Creates the reader of claims. The submitter, the controller of the asset, the evaluators and the controller of the
 * collection may see a claim.
 */
export const createClaimReader = (parts: {
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly directory: ServiceOf<typeof entityDirectory>
  readonly parties: Parties
  readonly files: ServiceOf<typeof personFiles> | undefined
}) => {
  const { claims, collections, directory, parties, files } = parts
  /** Returns a claim by its id or URI. @throws `claim_not_found`, also for a claim that the caller may not see */
  const see = async (id: string, caller: Caller): Promise<SeenClaim> => {
    const claim = await claims.find(claimIdOf(id))
    if (!claim) throw claimsFailures.claim_not_found()
    const [collection, entities] = await Promise.all([
      collections.find(claim.collection),
      claim.asset === undefined ? undefined : directory.find([claim.asset]),
    ])
    if (!collection) throw claimsFailures.claim_not_found()
    const isCaller = (did: string | undefined) => did !== undefined && parties.isSame(did, caller.did)
    const roles = new Set<ClaimRole>()
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
    /** Returns a claim with its transitions and the decisions that are open to the caller. */
    async details(id: string, caller: Caller) {
      const { claim, collection, roles } = await see(id, caller)
      const [steps, stored] = await Promise.all([claims.transitions(claim.id), linksToEvidence(claim, files)])
      const allowed = allowedDecisions(claim, collection, { did: caller.did, roles }, parties)
      return { ...claimDetailsOf(claim, steps), allowed, ...(stored.length > 0 && { stored }) }
    },
  }
}

/**
 * Returns signed links to the evidence that the submitter stored among their own files, as long as it has the content of the claim. No
 * one else's file is linked, whatever its address.
 */
const linksToEvidence = async (
  { evidence, submitter }: Claim,
  files: ServiceOf<typeof personFiles> | undefined,
): Promise<StoredEvidence[]> => {
  if (!files) return []
  const found = await Promise.all(
    evidence.map(async ({ hash, url }) => {
      const file = url === undefined ? undefined : await files.findByUrl(submitter, url).catch(ifInvalid)
      return file && `sha256:${file.sha256}` === hash ? [{ hash, path: file.path }] : []
    }),
  )
  const known = found.flat()
  const links = await files.linksTo(
    submitter,
    known.map(({ path }) => path),
  )
  return known.flatMap(({ hash, path }) => {
    const link = links.get(path)
    return link === undefined ? [] : [{ hash, link }]
  })
}

/** Evidence may have any address: one with an invalid path names no file. */
const ifInvalid = (error: unknown): undefined => {
  if (!isOracleError(error) || error.status >= 500) throw error
}

/** Maximum number of claims in a list. */
const maxListed = 1_000

/** Creates the service that reads claims for other plugins, each on behalf of a person. */
export const createClaimRegister = (claims: ClaimStore, parties: Parties): ClaimRegister => ({
  async list({ did, collection, limit = maxListed }) {
    const filters = collection === undefined ? {} : { collection }
    const found = await claims.list(filters, personOf({ did }, parties), Math.min(limit, maxListed))
    return found.map(claimRecordOf)
  },
})
