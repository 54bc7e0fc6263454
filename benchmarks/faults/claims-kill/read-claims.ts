import type { JsonValue } from '@sibyl/protocol'
import type { Snapshot } from '../entities/open-snapshot.ts'

/** A row of a claim. */
export interface ClaimRow {
  readonly id: string
  readonly collection_id: string
  readonly asset: string
  readonly state: string
  readonly decided_by: string | null
  readonly version: number
  readonly credential_status: string | null
  readonly credential_id: string | null
}

/** A row of a step. */
export interface StepRow {
  readonly claim_id: string
  readonly position: number
  readonly action: string
  readonly from_state: string | null
  readonly to_state: string
}

/** A row of a collection. */
export interface CollectionRow {
  readonly id: string
  readonly taken: number
  readonly quota_all: number | null
  readonly quota_per_asset: number | null
}

/** A row of a credential. */
export interface CredentialRow {
  readonly id: string
  readonly subject: string
  readonly status: string
  readonly list: string
  readonly place: number
  readonly document: {
    readonly credentialSubject: Readonly<Record<string, JsonValue>>
    readonly credentialStatus: readonly { readonly id: string; readonly statusPurpose: string }[]
  }
}

/** All that is stored of claims and credentials. */
export interface StoredClaims {
  readonly claims: readonly ClaimRow[]
  /** By claim, the first one first. */
  readonly steps: ReadonlyMap<string, readonly StepRow[]>
  readonly collections: readonly CollectionRow[]
  readonly assetCounts: readonly { readonly collection_id: string; readonly asset: string; readonly taken: number }[]
  readonly credentials: readonly CredentialRow[]
  /** Places that credentials took. */
  readonly places: readonly { readonly list: string; readonly place: number; readonly credential_id: string }[]
  /** Lists, with how many places they say are allotted, and how many are. */
  readonly lists: readonly { readonly id: string; readonly allotted: number; readonly entries: number }[]
  readonly marks: readonly { readonly list: string; readonly purpose: string; readonly place: number }[]
  readonly revocations: readonly string[]
}

/** Reads all that is stored of claims and credentials. */
export const readClaims = async ({ rows }: Snapshot): Promise<StoredClaims> => {
  const steps = await rows<StepRow>(
    'select claim_id, position, action, from_state, to_state from claims_transitions order by claim_id, position',
  )
  const revocations = await rows<{ credential_id: string }>(
    "select credential_id from credentials_changes where kind = 'revoked'",
  )
  return {
    claims: await rows(
      'select id, collection_id, asset, state, decided_by, version, credential_status, credential_id from claims_claims',
    ),
    steps: Map.groupBy(steps, row => row.claim_id),
    collections: await rows('select id, taken, quota_all, quota_per_asset from claims_collections'),
    assetCounts: await rows('select collection_id, asset, taken from claims_asset_counts'),
    credentials: await rows('select id, subject, status, list, place, document from credentials_credentials', [
      'document',
    ]),
    places: await rows('select list, place, credential_id from credentials_entries where credential_id is not null'),
    lists: await rows(
      'select id, allotted, (select count(*) from credentials_entries where list = id) as entries from credentials_lists',
    ),
    marks: await rows('select list, purpose, place from credentials_marks'),
    revocations: revocations.map(row => row.credential_id),
  }
}
