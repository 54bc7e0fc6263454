import { createHash } from 'node:crypto'
import type { Host, StoredSpace } from '@sibyl/plugin'
import type { CountedActor, entityDirectory, ServiceOf } from '@sibyl/protocol'
import canonicalize from 'canonicalize'
import type { Parties } from '../access/parties.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionsDependencies } from '../collections/collections.ts'
import { claimsFailures, invalidInput } from '../definitions/claims-errors.ts'
import type { ClaimsTransaction } from '../definitions/claims-tables.ts'
import type { ClaimCreation } from '../records/claim-records.ts'
import type { Claim } from './claim.ts'
import type { ClaimStore, SubmissionKeys } from './claim-store.ts'
import { readSubject, type Subject, violationsOfClaim } from './claim-violations.ts'

type DirectoryEntity = NonNullable<ReturnType<Awaited<ReturnType<ServiceOf<typeof entityDirectory>['find']>>['get']>>

export interface SubmissionDependencies extends CollectionsDependencies {
  readonly claims: ClaimStore
  readonly access: Pick<Host['access'], 'isTrusted'>
  /** Counts claims that anyone may submit without a quota. */
  readonly space: StoredSpace
}

/** Party that submits, and its channel. */
export interface Submitter {
  /** DID of the party. */
  readonly did: string
  /** The caller whose space it uses. @default the party */
  readonly actor?: CountedActor | undefined
  /** `api`, `chat`, `ussd`, … */
  readonly channel: string
  /** Two submissions with the same key are one claim; another claim with the key is rejected. */
  readonly idempotencyKey?: string | undefined
  /** True if the key alone identifies the submission: two reports by phone may have the same text. */
  readonly keyedAlone?: boolean
}

export interface Submitted {
  readonly claim: Claim
  /** True if the claim existed before. */
  readonly repeated: boolean
}

export type SubmitClaim = (creation: ClaimCreation, by: Submitter) => Promise<Submitted>

/**
 * Creates `SubmitClaim`. A repeated submission returns the existing claim, also when both run at once. An invalid claim
 * is rejected with all its problems. Quotas hold under concurrent submissions.
 *
 * @returns a function that throws `claim_invalid`, `submitter_not_allowed`, `claim_quota_reached`,
 * `claim_space_full`, `idempotency_key_reused`
 */
export const createSubmitClaim = (parts: SubmissionDependencies): SubmitClaim => {
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
    const violations = violationsOfClaim(creation, subject, now, parts.rules)
    if (!collection || !keys || violations.length > 0) throw invalidInput('claim_invalid', 'The claim', violations)
    const claim = claimFrom(creation, subject, { id: newId(), now, by })
    return storage.write(
      async tx => {
        if (!(await claims.insert(claim, keys, tx))) {
          const known = repeatOf(await claims.findSubmitted(keys, tx))
          if (!known) throw new Error('a claim clashed with one that is not there')
          return known
        }
        const taken = await collections.take(collection.id, claim.asset, tx)
        if (taken !== 'taken')
          throw taken === 'asset' ? claimsFailures.asset_quota_reached() : claimsFailures.claim_quota_reached()
        if (collection.submitters === 'anyone' && collection.quota.all === undefined)
          await takeSpace(parts, claim, by, tx)
        return { claim, repeated: false }
      },
      { isolation: 'read committed' },
    )
  }
}

/** Bytes of the rows of a claim and its transitions besides data and evidence, rounded up. */
export const claimRowBytes = 2_000

/** Counts a claim for its caller, unless the operator knows it. @throws `claim_space_full` */
const takeSpace = async (
  { access, space }: Pick<SubmissionDependencies, 'access' | 'space'>,
  { data, evidence }: Claim,
  { did, actor = { did, via: 'ucan' } }: Submitter,
  tx: ClaimsTransaction,
): Promise<void> => {
  if (actor.via === 'api-key' || actor.via === 'operator' || access.isTrusted(actor.did)) return
  const counted = { ...actor, did }
  const bytes = claimRowBytes + Buffer.byteLength(JSON.stringify({ data, evidence }))
  await space.countStored(tx, [{ ...counted, bytes }])
  const full = await space.fullFor(tx, counted, 0)
  if (full === 'holder') throw claimsFailures.claim_space_full_of_holder()
  if (full === 'origin') throw claimsFailures.claim_space_full_of_origin()
  if (full === 'all') throw claimsFailures.claim_space_full()
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
    requestKey,
    requestHash,
  }
}

const usualType = 'claim'

const repeatOf = (found: Awaited<ReturnType<ClaimStore['findSubmitted']>>): Submitted | undefined => {
  if (!found) return undefined
  if (!found.sameRequest) throw claimsFailures.idempotency_key_reused()
  return { claim: found.claim, repeated: true }
}

/** Returns whether a party may submit claims about an asset to a collection. */
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

/** Returns the SHA-256, in hex, of the canonical JSON (RFC 8785) of a value. */
const contentHash = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex')
