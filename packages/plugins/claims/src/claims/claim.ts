import { randomFillSync } from 'node:crypto'
import { isoTime } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import type { ClaimRow, TransitionRow } from '../definitions/claims-tables.ts'
import type {
  ClaimAction,
  ClaimDetails,
  ClaimRecord,
  ClaimState,
  ClaimTransition,
  ClaimVerdict,
  EvidenceEntry,
} from '../records/claim-records.ts'

/** A stored claim. */
export interface Claim {
  readonly id: string
  readonly collection: string
  readonly asset?: string
  /** Controller of the asset at the time of submission. */
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
  /** Number of its transitions. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ClaimRowRead = Omit<ClaimRow, 'data' | 'evidence' | 'verdict'> & {
  readonly data: Record<string, JsonValue>
  readonly evidence: readonly EvidenceEntry[]
  readonly verdict: ClaimVerdict | null
}

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

/** Returns a claim for HTTP responses. */
export const claimRecordOf = (claim: Claim): ClaimRecord => {
  const { id, assetController: _, version: __, protocol, decision, evidence, createdAt, updatedAt, ...rest } = claim
  return {
    id,
    uri: claimUri(id),
    ...rest,
    evidence: [...evidence],
    ...(protocol ? { protocol: protocol.did, protocolVersion: protocol.version } : {}),
    ...(decision ? { decision: { ...decision, at: isoTime(decision.at) } } : {}),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

/** Returns a claim with its transitions for HTTP responses. */
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
  at: isoTime(row.at),
  ...(row.why === null ? {} : { why: row.why }),
  ...(row.protocol === null ? {} : { protocol: row.protocol }),
  ...(row.protocol_version === null ? {} : { protocolVersion: row.protocol_version }),
})

/**
 * Creates a generator of UUIDv7 ids (RFC 9562). Ids of one generator ascend, also within a millisecond and when the
 * clock goes back.
 *
 * @param now milliseconds since 1970
 */
export const makeIds = (now: () => number): (() => string) => {
  const random = Buffer.alloc(10)
  let time = 0
  let counter = 0
  return () => {
    randomFillSync(random)
    const given = now()
    counter = given > time ? random.readUInt16BE(0) & 0x3ff : counter + 1
    time = Math.max(time, given) + (counter > 0xfff ? 1 : 0)
    counter &= 0xfff
    random.writeUInt8((random.readUInt8(2) & 0x3f) | 0x80, 2)
    const stamp = time.toString(16).padStart(12, '0')
    const rest = random.toString('hex', 2)
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
  }
}

/** Returns the URI of a claim in the graph. */
export const claimUri = (id: string): string => `urn:uuid:${id}`

/** Returns the id of a claim from its id or its URI. */
export const claimIdOf = (named: string): string => named.replace(/^urn:uuid:/i, '').toLowerCase()

/** Form of a claim's id or URI. */
export const claimIdForm = /^(?:urn:uuid:)?[0-9a-fA-F-]{36}$/

/** Allowed transitions: the states from which each action is possible, and the state that follows. */
export const transitions: Readonly<
  Record<ClaimAction, { readonly from: readonly ClaimState[]; readonly to: ClaimState }>
> = {
  submit: { from: [], to: 'submitted' },
  evaluate: { from: ['submitted'], to: 'evaluating' },
  judge: { from: ['evaluating'], to: 'evaluating' },
  'give-up': { from: ['evaluating'], to: 'submitted' },
  approve: { from: ['evaluating'], to: 'approved' },
  reject: { from: ['evaluating'], to: 'rejected' },
  dispute: { from: ['approved', 'rejected'], to: 'disputed' },
  uphold: { from: ['disputed'], to: 'upheld' },
  invalidate: { from: ['disputed'], to: 'invalidated' },
}

/** Returns the state after an action; undefined if the action is not allowed in that state. */
export const stateAfter = (state: ClaimState, action: ClaimAction): ClaimState | undefined => {
  const { from, to } = transitions[action]
  return from.includes(state) ? to : undefined
}

/** States in which a claim waits for a decision. */
export const waitingStates: readonly ClaimState[] = ['submitted', 'evaluating', 'disputed']
