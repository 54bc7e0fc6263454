import type {
  ClaimDetails,
  ClaimRecord,
  ClaimState,
  ClaimTransition,
  ClaimVerdict,
  EvidenceEntry,
  JsonValue,
} from '@sibyl/protocol'
import type { ClaimRow, TransitionRow } from '../storage/claims-tables.ts'
import { claimUri } from './claim-id.ts'

/** A claim as it stands in the database. */
export interface Claim {
  readonly id: string
  readonly collection: string
  readonly asset?: string
  /** Who controlled the asset when it was submitted. */
  readonly assetController?: string
  readonly type: string
  readonly data: Record<string, JsonValue>
  readonly evidence: readonly EvidenceEntry[]
  readonly submitter: string
  readonly channel: string
  readonly protocol?: { readonly did: string; readonly version: number }
  readonly state: ClaimState
  readonly verdict?: ClaimVerdict
  readonly decision?: { readonly by: string; readonly at: number; readonly overruled: boolean }
  readonly credential?: { readonly status: 'issued' | 'revoked' | 'missing'; readonly id?: string }
  /** Counts its transitions, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ClaimRowRead = Omit<ClaimRow, 'data' | 'evidence' | 'verdict'> & {
  readonly data: Record<string, JsonValue>
  readonly evidence: readonly EvidenceEntry[]
  readonly verdict: ClaimVerdict | null
}

/** A claim as its row says. */
export const claimOf = (row: ClaimRowRead): Claim => ({
  id: row.id,
  collection: row.collection_id,
  ...(row.asset === null ? {} : { asset: row.asset }),
  ...(row.asset_controller === null ? {} : { assetController: row.asset_controller }),
  type: row.type,
  data: row.data,
  evidence: row.evidence,
  submitter: row.submitter,
  channel: row.channel,
  ...protocolOf(row),
  state: row.state,
  ...(row.verdict === null ? {} : { verdict: row.verdict }),
  ...(row.decided_by === null || row.decided_at === null
    ? {}
    : { decision: { by: row.decided_by, at: row.decided_at, overruled: row.overruled } }),
  ...(row.credential_status === null
    ? {}
    : {
        credential: {
          status: row.credential_status,
          ...(row.credential_id === null ? {} : { id: row.credential_id }),
        },
      }),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const protocolOf = ({ protocol, protocol_version: version }: Pick<ClaimRow, 'protocol' | 'protocol_version'>) =>
  protocol === null || version === null ? {} : { protocol: { did: protocol, version } }

/** A claim as routes answer it. */
export const claimRecordOf = (claim: Claim): ClaimRecord => {
  const { id, assetController: _, version: __, protocol, decision, evidence, createdAt, updatedAt, ...rest } = claim
  return {
    id,
    uri: claimUri(id),
    ...rest,
    evidence: [...evidence],
    ...(protocol ? { protocol: protocol.did, protocolVersion: protocol.version } : {}),
    ...(decision ? { decision: { ...decision, at: timeOf(decision.at) } } : {}),
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
  }
}

/** A claim and its steps as routes answer them. */
export const claimDetailsOf = (claim: Claim, transitions: readonly TransitionRow[]): ClaimDetails => ({
  ...claimRecordOf(claim),
  transitions: transitions.map(transitionOf),
})

const transitionOf = (row: TransitionRow): ClaimTransition => ({
  position: row.position,
  action: row.action,
  ...(row.from_state === null ? {} : { from: row.from_state }),
  to: row.to_state,
  by: row.by,
  at: timeOf(row.at),
  ...(row.why === null ? {} : { why: row.why }),
  ...(row.protocol === null ? {} : { protocol: row.protocol }),
  ...(row.protocol_version === null ? {} : { protocolVersion: row.protocol_version }),
})

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
