import type { Clock } from '@sibyl/plugin'
import type { ClaimCreation, DirectoryEntity, EntityDirectory, Fault, PropertyRules } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { claimsFailures } from '../claims-errors.ts'
import { type Collection, closedBecause } from '../collections/collection.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { type ClaimDefinition, parseClaimDefinition } from '../rubric/claim-definition.ts'
import { fault } from '../rubric/fault.ts'
import type { ClaimsStorage } from '../storage/claims-tables.ts'
import { contentFaults } from './certifiable-content.ts'
import type { Claim } from './claim.ts'
import { ClaimInvalid, ClaimQuotaReached } from './claim-errors.ts'
import type { ClaimStore, SubmissionKeys } from './claim-store.ts'
import { contentHash } from './content-hash.ts'

export interface SubmissionParts {
  readonly storage: ClaimsStorage
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly directory: EntityDirectory
  readonly rules: PropertyRules
  readonly parties: Parties
  readonly clock: Clock
  readonly newId: () => string
}

/** Who submits, and how. */
export interface Submitter {
  /** The party that submits. */
  readonly did: string
  /** `api`, `chat`, `ussd`, … */
  readonly channel: string
  /** Two submissions of one key are one claim; another claim under it is refused. */
  readonly idempotencyKey?: string
  /** Whether that key alone tells submissions apart: people report the same words twice and mean two reports. */
  readonly keyedAlone?: boolean
}

/** A claim that was taken in, now or before. */
export interface Submitted {
  readonly claim: Claim
  /** Whether it was there already. */
  readonly repeated: boolean
}

/** Takes a claim in. */
export type SubmitClaim = (creation: ClaimCreation, by: Submitter) => Promise<Submitted>

/**
 * Makes what takes claims in: the same submission twice is one claim, also when both come at once; a claim that has faults
 * is refused with all of them; quotas are kept whatever comes at the same time.
 *
 * @returns a function that throws `claim_invalid`, `submitter_not_allowed`, `claim_quota_reached`, `idempotency_key_reused`
 */
export const createSubmitClaim = (parts: SubmissionParts): SubmitClaim => {
  const { storage, claims, collections, clock, newId } = parts
  return async (creation, by) => {
    const subject = await readSubject(creation, parts)
    const { collection, asset } = subject
    const isStorable = parts.rules.check(undefined, creation.data, '/data').length === 0
    const keys = isStorable ? keysOf(creation, asset, by) : undefined
    const earlier = keys && repeatOf(await claims.findSubmitted(keys))
    if (earlier) return earlier
    const isAboutNothing = creation.asset === undefined && collection?.protocol === undefined
    if (collection && (asset || isAboutNothing) && !mayClaim(collection, asset, by.did, parts.parties)) {
      throw claimsFailures.submitter_not_allowed()
    }
    const now = clock.now()
    const faults = faultsOfClaim(creation, subject, now, parts.rules)
    if (!collection || !keys || faults.length > 0) throw new ClaimInvalid('The claim', faults)
    const claim = claimFrom(creation, subject, { id: newId(), now, by })
    return storage.write(
      async tx => {
        if (!(await claims.insert(claim, keys, tx))) {
          const known = repeatOf(await claims.findSubmitted(keys, tx))
          if (!known) throw new Error('a claim clashed with one that is not there')
          return known
        }
        const taken = await collections.take(collection.id, claim.asset, tx)
        if (taken !== 'taken') throw new ClaimQuotaReached(taken)
        return { claim, repeated: false }
      },
      { isolation: 'read committed' },
    )
  }
}

const keysOf = (
  { collection, asset: named, type = usualType, data, evidence = [] }: ClaimCreation,
  asset: DirectoryEntity | undefined,
  { did, idempotencyKey, keyedAlone }: Submitter,
): SubmissionKeys => {
  const files = evidence.toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
  const requestHash = contentHash({ collection, asset: asset?.did ?? named ?? null, type, data, evidence: files })
  const requestKey = idempotencyKey === undefined ? undefined : contentHash({ submitter: did, key: idempotencyKey })
  return {
    contentKey: contentHash(
      keyedAlone && requestKey !== undefined ? { requestKey } : { submitter: did, request: requestHash },
    ),
    ...(requestKey === undefined ? {} : { requestKey }),
    requestHash,
  }
}

const usualType = 'claim'

const repeatOf = (found: Awaited<ReturnType<ClaimStore['findSubmitted']>>): Submitted | undefined => {
  if (!found) return undefined
  if (!found.sameRequest) throw claimsFailures.idempotency_key_reused()
  return { claim: found.claim, repeated: true }
}

/** What a claim is about, as far as it is there. */
interface Subject {
  readonly collection: Collection | undefined
  readonly asset: DirectoryEntity | undefined
  /** Whether the protocol of the asset is out of use. */
  readonly isWithdrawn: boolean
  /** Whether the version of the protocol that the asset follows is retired. */
  readonly isRetired: boolean
  /** How the protocol reads claims. */
  readonly definition: ClaimDefinition | undefined
  readonly definitionFaults: readonly Fault[]
}

const readSubject = async (
  { collection: id, asset: did }: ClaimCreation,
  { collections, directory, rules }: SubmissionParts,
): Promise<Subject> => {
  const [collection, found] = await Promise.all([
    collections.find(id),
    did === undefined ? undefined : directory.find([did]),
  ])
  const asset = did === undefined ? undefined : found?.get(did)
  const governs = asset?.protocol && (collection?.protocol ?? asset.protocol.did) === asset.protocol.did
  const protocol = governs ? await directory.protocol(asset.protocol.did, asset.protocol.version) : undefined
  const parsed = parseClaimDefinition(protocol?.claim, rules)
  return {
    collection,
    asset,
    isWithdrawn: governs ? protocol?.status !== 'active' : false,
    isRetired: protocol?.retired === true,
    definition: 'definition' in parsed ? parsed.definition : undefined,
    definitionFaults: 'faults' in parsed ? parsed.faults : [],
  }
}

/** Whether a party may claim about an asset in a collection. */
const mayClaim = (
  { submitters }: Collection,
  asset: DirectoryEntity | undefined,
  did: string,
  parties: Parties,
): boolean => {
  if (submitters === 'anyone') return true
  if (submitters === 'controllers') return asset !== undefined && parties.isSame(asset.controller, did)
  return submitters.some(one => parties.isSame(one, did))
}

const faultsOfClaim = (
  { asset: did, data, evidence = [] }: ClaimCreation,
  { collection, asset, isWithdrawn, isRetired, definition, definitionFaults }: Subject,
  now: number,
  rules: PropertyRules,
): readonly Fault[] => {
  const closed = collection && closedBecause(collection, now)
  return [
    ...(collection ? [] : [fault('/collection', 'unknown_collection', 'There is no such collection.')]),
    ...(closed === undefined ? [] : [fault('/collection', 'collection_closed', closed)]),
    ...faultsOfAsset(did, asset, collection),
    ...(isWithdrawn ? [fault('/asset', 'deactivated_protocol', 'Its protocol is out of use.')] : []),
    ...(isRetired ? [fault('/asset', 'retired_version', `Its version of the protocol is retired. ${moveIt}`)] : []),
    ...definitionFaults.map(({ path, message }) =>
      fault('/asset', 'unreadable_protocol', `Its protocol cannot be read at ${path}: ${message}`),
    ),
    ...(definition ? rules.check(definition.properties, data, '/data') : []),
    ...contentFaults({ data, evidence }),
    ...evidence.flatMap(({ hash }, index) =>
      evidence.findIndex(one => one.hash === hash) < index
        ? [fault(`/evidence/${index}/hash`, 'evidence_twice', 'Is in the list already.')]
        : [],
    ),
  ]
}

const faultsOfAsset = (
  did: string | undefined,
  asset: DirectoryEntity | undefined,
  collection: Collection | undefined,
): readonly Fault[] => {
  if (did === undefined) {
    return collection?.protocol === undefined
      ? []
      : [fault('/asset', 'missing_property', 'Is missing: the claims of this collection are about entities.')]
  }
  if (!asset) return [fault('/asset', 'unknown_entity', 'There is no such entity here.')]
  return [
    ...(asset.status === 'active' ? [] : [fault('/asset', 'deactivated_entity', 'The entity is out of use.')]),
    ...(collection?.protocol === undefined || asset.protocol?.did === collection.protocol
      ? []
      : [fault('/asset', 'wrong_protocol', "The entity does not follow the collection's protocol.")]),
    ...outdatedFaults(asset, collection),
  ]
}

const moveIt = 'Its controller moves it to the newest version by a PATCH with protocolVersion.'

const outdatedFaults = ({ protocol }: DirectoryEntity, collection: Collection | undefined): readonly Fault[] => {
  const { protocol: own, leastProtocolVersion: least = 1 } = collection ?? {}
  if (protocol === undefined || protocol.did !== own || protocol.version >= least) return []
  const message = `Follows version ${protocol.version} of the protocol, and the collection takes version ${least} or a newer one. ${moveIt}`
  return [fault('/asset', 'outdated_version', message)]
}

const claimFrom = (
  { collection, type = usualType, data, evidence = [] }: ClaimCreation,
  { asset }: Subject,
  { id, now, by }: { readonly id: string; readonly now: number; readonly by: Submitter },
): Claim => ({
  id,
  collection,
  ...(asset ? { asset: asset.did, assetController: asset.controller } : {}),
  type,
  data,
  evidence,
  submitter: by.did,
  channel: by.channel,
  ...(asset?.protocol ? { protocol: asset.protocol } : {}),
  state: 'submitted',
  version: 1,
  createdAt: now,
  updatedAt: now,
})
