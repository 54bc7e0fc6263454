import type { Host } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { ClaimAction, ClaimState, ClaimVerdict, EvidenceEntry, JsonValue, RubricCondition } from '@sibyl/protocol'

export interface ClaimsTables {
  claims_collections: CollectionRow
  claims_collection_parties: CollectionPartyRow
  claims_asset_counts: AssetCountRow
  claims_claims: ClaimRow
  claims_transitions: TransitionRow
}

export interface CollectionRow {
  id: string
  title: string
  controller: string
  /** DID of the protocol; null if claims may be about any entity. */
  protocol: string | null
  /** Properties that no query filters by. */
  details: JsonColumn<CollectionDetails>
  /** Minimum version of the protocol; null: any. */
  least_version: number | null
  /** Newest version of the protocol that its controller accepted; null: the newest version at creation. */
  accepted_version: number | null
  closed: boolean
  opens_at: number | null
  closes_at: number | null
  quota_all: number | null
  quota_per_asset: number | null
  /** Number of claims. */
  taken: number
  created_at: number
  updated_at: number
}

/** Properties of a collection that no query filters by. */
export interface CollectionDetails {
  readonly submitters: 'controllers' | 'anyone' | readonly string[]
  readonly evaluators: readonly string[]
  readonly evaluation: 'rules' | 'agent' | 'person'
  readonly confirm: boolean
  readonly conditions: readonly RubricCondition[]
  readonly guidance?: string
  readonly verifier?: string
  readonly credentialType: string
}

/** A party that may see all claims of a collection: its controller or an evaluator. */
export interface CollectionPartyRow {
  party: string
  collection_id: string
  /** False for a controller who is not an evaluator. */
  evaluates: boolean
}

/** Number of claims of a collection about one asset. */
export interface AssetCountRow {
  collection_id: string
  asset: string
  taken: number
}

/** A claim in its current state. */
export interface ClaimRow {
  /** UUIDv7, so that ids ascend with time. */
  id: string
  collection_id: string
  asset: string | null
  /** Controller of the asset at the time of submission. */
  asset_controller: string | null
  type: string
  data: JsonColumn<Record<string, JsonValue>>
  evidence: JsonColumn<readonly EvidenceEntry[]>
  submitter: string
  channel: string
  protocol: string | null
  protocol_version: number | null
  state: ClaimState
  verdict: JsonColumn<ClaimVerdict, null>
  decided_by: string | null
  decided_at: number | null
  overruled: boolean
  credential_status: 'issued' | 'revoked' | 'missing' | null
  credential_id: string | null
  /** Hash of submitter, collection, asset and content; null once the same claim may be submitted again. */
  content_key: string | null
  /** Hash of submitter and `Idempotency-Key`. */
  request_key: string | null
  /** Hash of the request with that key. */
  request_hash: string
  /** Number of its transitions. */
  version: number
  created_at: number
  updated_at: number
}

/** A transition of a claim. */
export interface TransitionRow {
  claim_id: string
  position: number
  action: ClaimAction
  from_state: ClaimState | null
  to_state: ClaimState
  by: string
  at: number
  why: string | null
  protocol: string | null
  protocol_version: number | null
}

export type ClaimsStorage = Host<unknown, ClaimsTables>['storage']

export type ClaimsTransaction = Parameters<Parameters<ClaimsStorage['write']>[0]>[0]
