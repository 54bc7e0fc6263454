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
  /** The protocol's DID; null where any entity may be claimed about. */
  protocol: string | null
  /** What of a collection no query asks for. */
  details: JsonColumn<CollectionDetails>
  /** The least version of the protocol; null: any. */
  least_version: number | null
  /** The newest version of the protocol that its controller accepted; null: that of when it was made. */
  accepted_version: number | null
  closed: boolean
  opens_at: number | null
  closes_at: number | null
  quota_all: number | null
  quota_per_asset: number | null
  /** How many claims it has taken. */
  taken: number
  created_at: number
  updated_at: number
}

/** What of a collection is never searched for. */
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

/** Who sees all claims of a collection: its controller and its evaluators. */
export interface CollectionPartyRow {
  party: string
  collection_id: string
}

/** How many claims a collection has taken about one asset. */
export interface AssetCountRow {
  collection_id: string
  asset: string
  taken: number
}

/** A claim as it is now. */
export interface ClaimRow {
  /** A UUIDv7, so that ids are ordered by time. */
  id: string
  collection_id: string
  asset: string | null
  /** Who controlled the asset when it was submitted. */
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
  /** A hash over submitter, collection, asset and content; null once the same may be submitted again. */
  content_key: string | null
  /** A hash over submitter and `Idempotency-Key`. */
  request_key: string | null
  /** A hash over the request of that key. */
  request_hash: string
  /** Counts its transitions, from 1. */
  version: number
  created_at: number
  updated_at: number
}

/** One step of a claim. */
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
