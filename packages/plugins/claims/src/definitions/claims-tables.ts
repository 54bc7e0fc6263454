import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { type Selectable, sql } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { ClaimAction, ClaimState, ClaimVerdict, EvidenceEntry } from '../records/claim-records.ts'
import type { RubricCondition } from '../records/rubric-condition.ts'

const collections = defineTable(
  'claims_collections',
  {
    id: column.text().primaryKey(),
    title: column.text(),
    controller: column.text(),
    /** DID of the protocol; null if claims may be about any entity. */
    protocol: column.text().nullable(),
    /** Properties that no query filters by. */
    details: column.json(z.custom<CollectionDetails>()),
    /** Minimum version of the protocol; null: any. */
    least_version: column.integer().nullable(),
    /** Newest version of the protocol that its controller accepted; null: the newest version at creation. */
    accepted_version: column.integer().nullable(),
    closed: column.boolean(),
    opens_at: column.timestamp().nullable(),
    closes_at: column.timestamp().nullable(),
    quota_all: column.integer().nullable(),
    quota_per_asset: column.integer().nullable(),
    /** Number of claims. */
    taken: column.integer(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
  },
  { indexes: { claims_collections_protocol: ['protocol', 'id'] } },
)

/** A party that may see all claims of a collection: its controller or an evaluator. */
const collectionParties = defineTable(
  'claims_collection_parties',
  {
    party: column.text(),
    collection_id: column.text(),
    /** False for a controller who is not an evaluator. */
    evaluates: column.boolean().default(true),
  },
  { primaryKey: ['party', 'collection_id'], storedByKey: true },
)

/** Number of claims of a collection about one asset. */
const assetCounts = defineTable(
  'claims_asset_counts',
  {
    collection_id: column.text(),
    asset: column.text(),
    taken: column.integer(),
  },
  { primaryKey: ['collection_id', 'asset'], storedByKey: true },
)

/** A claim in its current state. */
const claims = defineTable(
  'claims_claims',
  {
    /** UUIDv7, so that ids ascend with time. */
    id: column.text().primaryKey(),
    collection_id: column.text(),
    asset: column.text().nullable(),
    /** Controller of the asset at the time of submission. */
    asset_controller: column.text().nullable(),
    type: column.text(),
    data: column.json(z.custom<Record<string, JsonValue>>()),
    evidence: column.json(z.custom<readonly EvidenceEntry[]>()),
    submitter: column.text(),
    channel: column.text(),
    protocol: column.text().nullable(),
    protocol_version: column.integer().nullable(),
    state: column.text<ClaimState>(),
    verdict: column.json(z.custom<ClaimVerdict>()).nullable(),
    decided_by: column.text().nullable(),
    decided_at: column.timestamp().nullable(),
    overruled: column.boolean(),
    credential_status: column.text<'issued' | 'revoked' | 'missing'>().nullable(),
    credential_id: column.text().nullable(),
    /** Hash of submitter, collection, asset and content; null once the same claim may be submitted again. */
    content_key: column.text().unique().nullable(),
    /** Hash of submitter and `Idempotency-Key`. */
    request_key: column.text().unique().nullable(),
    /** Hash of the request with that key. */
    request_hash: column.text(),
    /** Number of its transitions. */
    version: column.integer(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
  },
  {
    indexes: {
      claims_claims_asset: ['asset', 'id'],
      claims_claims_asset_controller: ['asset_controller', 'id'],
      claims_claims_collection_id: ['collection_id', 'id'],
      claims_claims_decided_by: ['decided_by'],
      claims_claims_state: ['state', 'id'],
      claims_claims_submitter: ['submitter', 'id'],
      claims_claims_waiting: { columns: ['id'], where: "state in ('submitted', 'evaluating', 'disputed')" },
    },
  },
)

/** A transition of a claim. */
const transitions = defineTable(
  'claims_transitions',
  {
    claim_id: column.text(),
    position: column.integer(),
    action: column.text<ClaimAction>(),
    from_state: column.text<ClaimState>().nullable(),
    to_state: column.text<ClaimState>(),
    by: column.text(),
    at: column.timestamp(),
    why: column.text().nullable(),
    protocol: column.text().nullable(),
    protocol_version: column.integer().nullable(),
  },
  { primaryKey: ['claim_id', 'position'], indexes: { claims_transitions_by: ['by'] }, storedByKey: true },
)

const claimsTables = [collections, collectionParties, assetCounts, claims, transitions] as const

export const claimsMigrations = {
  '0100-base': createTables(claimsTables, async db => {
    // For collections from before 2026-11-29; delete it with `completeTable`.
    await sql`
      update claims_collection_parties set evaluates = false where exists (
        select 1 from claims_collections where id = collection_id and controller = party
        and replace(details ->> 'evaluators', '"' || controller || '"', '') = details ->> 'evaluators'
      )`.execute(db)
  }),
}

/** Tables of the plugin. Times are milliseconds since 1970. */
export type ClaimsTables = TablesOf<typeof claimsTables>

export type CollectionRow = Selectable<ClaimsTables['claims_collections']>
export type ClaimRow = Selectable<ClaimsTables['claims_claims']>
export type TransitionRow = Selectable<ClaimsTables['claims_transitions']>

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

export type ClaimsStorage = Host<unknown, ClaimsTables>['storage']

export type ClaimsTransaction = Parameters<Parameters<ClaimsStorage['write']>[0]>[0]
