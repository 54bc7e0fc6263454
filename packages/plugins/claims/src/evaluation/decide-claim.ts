import type { Host } from '@sibyl/plugin'
import type { credentialIssuer, entityDirectory, JsonValue, propertyRules, ServiceOf } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { type Claim, claimUri } from '../claims/claim.ts'
import type { ClaimReader } from '../claims/claim-reader.ts'
import type { ClaimStore, Step } from '../claims/claim-store.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { stateConflict } from '../definitions/claims-errors.ts'
import type { ClaimsStorage } from '../definitions/claims-tables.ts'
import type { ClaimVerdict } from '../records/claim-records.ts'

type CredentialRequest = Parameters<ServiceOf<typeof credentialIssuer>['prepare']>[0]

type DirectoryEdge = Parameters<ServiceOf<typeof entityDirectory>['link']>[0][number]
type DirectoryProtocol = NonNullable<Awaited<ReturnType<ServiceOf<typeof entityDirectory>['protocol']>>>

/** A decision about a claim. */
export interface Ruling {
  /** Transitions before the decision, in the same transaction. */
  readonly before: readonly Step[]
  readonly decision: 'approve' | 'reject'
  /** DID of the party that decides. */
  readonly by: string
  readonly why: string
  readonly verdict: ClaimVerdict
  /** True if the decision differs from the verdict. */
  readonly overruled: boolean
}

export type DecideClaim = (claim: Claim, collection: Collection, ruling: Ruling) => Promise<void>

/**
 * Creates the function that decides claims. An approval issues a credential about the asset, or about the submitter if
 * there is no asset, and adds the claim to the graph. All of it is one transaction with the claim's transition.
 *
 * @returns a function that throws `claim_state_conflict`, and `signing_key_missing` if a credential cannot be signed
 */
export const createDecideClaim =
  ({ host: { clock }, storage, claims, directory, issuer }: EvaluationDependencies): DecideClaim =>
  async (claim, collection, ruling) => {
    const { before, decision, by, why, verdict, overruled } = ruling
    const change = { verdict, decision: { by, overruled } }
    if (decision === 'reject') {
      const steps = [...before, { action: 'reject' as const, by, why }]
      await storage.write(tx => claims.move(claim, steps, change, clock.now(), tx))
      return
    }
    const prepared = await issuer?.prepare(requestFor(claim, collection, ruling)).catch(asConflict)
    const text = prepared ? why : `${why} ${withoutCredential}`
    const steps = [...before, { action: 'approve' as const, by, why: text }]
    await storage.write(async tx => {
      const stored = prepared && (await issuer?.store(prepared, tx).catch(asConflict))
      const credential = stored ? { status: 'issued' as const, id: stored.id } : { status: 'missing' as const }
      await claims.move(claim, steps, { ...change, credential }, clock.now(), tx)
      await directory.link(edgesOf(claim, collection.verifier ?? by, stored?.id), tx)
    })
  }

/**
 * Maps an error to `claim_state_conflict`: a claim has one credential, stored with its decision, so another one means a
 * concurrent decision.
 */
const asConflict = (error: unknown): never => {
  const { code } = error as { readonly code?: unknown }
  throw code === 'idempotency_key_reused' ? stateConflict('approve') : error
}

const withoutCredential = 'No credential was issued because the credentials plugin is not enabled.'

const edgesOf = ({ id, asset }: Claim, verifier: string, credential: string | undefined): readonly DirectoryEdge[] => {
  const uri = claimUri(id)
  return [
    ...(asset === undefined ? [] : [{ from: asset, relationship: 'produces', to: uri }]),
    { from: verifier, relationship: 'verifies', to: uri },
    ...(credential === undefined ? [] : [{ from: uri, relationship: 'becomes', to: credential }]),
  ]
}

const requestFor = (
  claim: Claim,
  { credentialType }: Collection,
  { by, verdict, overruled }: Ruling,
): CredentialRequest => {
  const { id, asset, submitter, type, data, evidence, protocol } = claim
  const uri = claimUri(id)
  const files = evidence.map(({ hash, mediaType, name, url }) => ({
    type: 'ClaimDocument',
    digest: hash,
    mediaType,
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
  }))
  return {
    type: credentialType,
    subject: {
      id: asset ?? submitter,
      claim: uri,
      claimType: type,
      claimData: data,
      ...(protocol ? { protocol: protocol.did, protocolVersion: protocol.version } : {}),
    },
    evidence: [
      {
        type: 'ClaimEvaluation',
        claim: uri,
        evaluatedBy: verdict.by,
        decidedBy: by,
        method: verdict.method,
        overruled,
        checks: verdict.checks.map(({ id: check, passed }): JsonValue => ({ check, passed })),
      },
      ...files,
    ],
    idempotencyKey: `claims/${id}`,
    issuedBy: by,
  }
}

export interface EvaluationDependencies {
  readonly host: Pick<Host, 'clock' | 'grants' | 'jobs' | 'log' | 'model'>
  readonly storage: ClaimsStorage
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly reader: ClaimReader
  readonly directory: ServiceOf<typeof entityDirectory>
  readonly rules: ServiceOf<typeof propertyRules>
  readonly parties: Parties
  /** Missing without the credentials plugin. */
  readonly issuer: ServiceOf<typeof credentialIssuer> | undefined
}

/** Returns why a person must confirm the approval of a claim; undefined if no one needs to. */
export const doubtOf = async (
  { asset, protocol: followed }: Claim,
  collection: Collection,
  { directory, parties }: Pick<EvaluationDependencies, 'directory' | 'parties'>,
): Promise<string | undefined> => {
  const [entities, version] = await Promise.all([
    asset === undefined ? undefined : directory.find([asset]),
    followed && directory.protocol(followed.did, followed.version),
  ])
  if (asset !== undefined && entities?.get(asset)?.status !== 'active') return 'The entity was deactivated.'
  if (!version) return undefined
  if (version.retired) return `Version ${version.version} of the protocol was retired.`
  const { leastProtocolVersion: least = 1 } = collection
  if (collection.protocol !== undefined && version.version < least) {
    return `The collection now requires version ${least} of the protocol or newer.`
  }
  if (isAccepted(version, collection) || parties.isSame(version.controller, collection.controller)) return undefined
  return `The controller of the collection has not accepted version ${version.version} of the protocol, which another party controls.`
}

/**
 * Returns whether the controller of a collection has accepted a version of its protocol. For a protocol that is not the
 * collection's own, the version only adds conditions.
 */
const isAccepted = (
  { version, createdAt }: DirectoryProtocol,
  { protocol, acceptedProtocolVersion: accepted, createdAt: madeAt }: Collection,
): boolean => protocol === undefined || (accepted === undefined ? createdAt <= madeAt : version <= accepted)
