import { sql, toJson } from '@sibyl/plugin/storage'
import type { Caller } from '../access/caller.ts'
import { stateConflict } from '../definitions/claims-errors.ts'
import type { ClaimsStorage, ClaimsTransaction, TransitionRow } from '../definitions/claims-tables.ts'
import type { ClaimAction, ClaimState, ClaimVerdict } from '../records/claim-records.ts'
import { type Claim, claimOf, stateAfter } from './claim.ts'

/** Hashes that identify a submission. */
export interface SubmissionKeys {
  readonly contentKey: string
  readonly requestKey?: string | undefined
  /** Hash of the request that was sent with the request key. */
  readonly requestHash: string
}

/** A transition that is about to be stored. */
export interface Step {
  readonly action: ClaimAction
  /** DID of the party that causes it. */
  readonly by: string
  readonly why?: string
}

/** Changes that are stored together with transitions. */
export interface ClaimChange {
  readonly verdict?: ClaimVerdict | null
  readonly decision?: { readonly by: string; readonly overruled: boolean }
  readonly credential?: { readonly status: 'issued' | 'revoked' | 'missing'; readonly id?: string }
  /** True if the same claim may be submitted again. */
  readonly frees?: boolean
}

/** Filters of a list; a claim must match all of them. */
export interface ClaimFilters {
  readonly states?: readonly ClaimState[]
  readonly collection?: string | undefined
  readonly asset?: string
  readonly submitter?: string
  /** True for claims that wait for a decision of the caller. */
  readonly deciding?: boolean
}

/** Position and order of a page. */
export interface ClaimPosition {
  /** The last id of the previous page. */
  readonly after?: string | undefined
  /** @default 'newest' first */
  readonly order?: 'newest' | 'oldest' | undefined
}

export type ClaimStore = ReturnType<typeof createClaimStore>

/**
 * Creates the store of claims.
 *
 * @param report Called with stored transitions, within their transaction.
 */
export const createClaimStore = (
  storage: ClaimsStorage,
  report?: (claim: Claim, steps: readonly Step[], tx: ClaimsTransaction) => Promise<void>,
) => ({
  async find(id: string) {
    const row = await storage.read.selectFrom('claims_claims').selectAll().where('id', '=', id).executeTakeFirst()
    return row && claimOf(row)
  },
  /** Returns the claim of an earlier submission, and whether the same request key came with other content. */
  async findSubmitted({ contentKey, requestKey, requestHash }: SubmissionKeys, tx?: ClaimsTransaction) {
    const rows = await (tx ?? storage.read)
      .selectFrom('claims_claims')
      .selectAll()
      .where(where =>
        where.or([
          where('content_key', '=', contentKey),
          ...(requestKey === undefined ? [] : [where('request_key', '=', requestKey)]),
        ]),
      )
      .execute()
    const row = rows.find(({ request_key: key }) => requestKey !== undefined && key === requestKey) ?? rows[0]
    if (!row) return undefined
    const isOfKey = requestKey !== undefined && row.request_key === requestKey
    return { claim: claimOf(row), sameRequest: !isOfKey || row.request_hash === requestHash }
  },
  transitions: (id: string): Promise<readonly TransitionRow[]> =>
    storage.read.selectFrom('claims_transitions').selectAll().where('claim_id', '=', id).orderBy('position').execute(),
  /** Returns a page of the claims that the caller may see. */
  async list(filters: ClaimFilters, caller: Caller, limit: number, { after, order = 'newest' }: ClaimPosition = {}) {
    const { states, collection, asset, submitter, deciding } = filters
    const isNewest = order === 'newest'
    let query = storage.read
      .selectFrom('claims_claims')
      .selectAll()
      .orderBy('id', isNewest ? 'desc' : 'asc')
      .limit(limit)
    if (states !== undefined) query = query.where('state', 'in', [...states])
    if (collection !== undefined) query = query.where('collection_id', '=', collection)
    if (asset !== undefined) query = query.where('asset', '=', asset)
    if (submitter !== undefined) query = query.where('submitter', '=', submitter)
    if (after !== undefined) query = query.where('id', isNewest ? '<' : '>', after)
    if (deciding) {
      // Text as in the index `claims_claims_waiting`, which SQLite requires.
      query = query.where(sql<boolean>`state in ('submitted', 'evaluating', 'disputed')`).where(where => {
        const ofCaller = where
          .selectFrom('claims_collection_parties')
          .select('collection_id')
          .where('party', '=', caller.did)
        return where.or([
          where('collection_id', 'in', ofCaller.where('evaluates', '=', true)),
          where.and([where('state', '=', 'disputed'), where('collection_id', 'in', ofCaller)]),
        ])
      })
    } else if (!caller.readsAll) {
      query = query.where(where =>
        where.or([
          where('submitter', '=', caller.did),
          where('asset_controller', '=', caller.did),
          where(
            'collection_id',
            'in',
            where.selectFrom('claims_collection_parties').select('collection_id').where('party', '=', caller.did),
          ),
        ]),
      )
    }
    return (await query.execute()).map(row => claimOf(row))
  },
  /** Stores a new claim with its first transition. Returns false if the same claim was submitted before. */
  async insert(claim: Claim, { contentKey, requestKey, requestHash }: SubmissionKeys, tx: ClaimsTransaction) {
    const row = await tx
      .insertInto('claims_claims')
      .values({
        id: claim.id,
        collection_id: claim.collection,
        asset: claim.asset ?? null,
        asset_controller: claim.assetController ?? null,
        type: claim.type,
        data: toJson(claim.data),
        evidence: toJson(claim.evidence),
        submitter: claim.submitter,
        channel: claim.channel,
        protocol: claim.protocol?.did ?? null,
        protocol_version: claim.protocol?.version ?? null,
        state: claim.state,
        verdict: null,
        decided_by: null,
        decided_at: null,
        overruled: false,
        credential_status: null,
        credential_id: null,
        content_key: contentKey,
        request_key: requestKey ?? null,
        request_hash: requestHash,
        version: claim.version,
        created_at: claim.createdAt,
        updated_at: claim.updatedAt,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
    const submission: Step = { action: 'submit', by: claim.submitter, why: `Submitted through ${claim.channel}.` }
    await tx
      .insertInto('claims_transitions')
      .values(rowOf(claim, submission, undefined, claim.state, 1, claim.createdAt))
      .execute()
    return true
  },
  /** Applies transitions to a claim. @throws `claim_state_conflict` */
  async move(claim: Claim, steps: readonly Step[], change: ClaimChange, at: number, tx: ClaimsTransaction) {
    const rows: TransitionRow[] = []
    let { state } = claim
    for (const [index, step] of steps.entries()) {
      const next = stateAfter(state, step.action)
      if (next === undefined) throw stateConflict(step.action, state)
      rows.push(rowOf(claim, step, state, next, claim.version + index + 1, at))
      state = next
    }
    const { verdict, decision, credential, frees } = change
    const moved = await tx
      .updateTable('claims_claims')
      .set({
        state,
        version: claim.version + rows.length,
        updated_at: at,
        ...(verdict === undefined ? {} : { verdict: verdict && toJson(verdict) }),
        ...(decision && { decided_by: decision.by, decided_at: at, overruled: decision.overruled }),
        ...(credential && { credential_status: credential.status, credential_id: credential.id ?? null }),
        ...(frees ? { content_key: null } : {}),
      })
      .where(eb => eb.and({ id: claim.id, version: claim.version }))
      .returning('id')
      .executeTakeFirst()
    if (!moved) throw stateConflict(steps.at(-1)?.action ?? 'a step')
    await tx.insertInto('claims_transitions').values(rows).execute()
    await report?.(claim, steps, tx)
  },
})

const rowOf = (
  { id, protocol }: Claim,
  { action, by, why }: Step,
  from: ClaimState | undefined,
  to: ClaimState,
  position: number,
  at: number,
): TransitionRow => ({
  claim_id: id,
  position,
  action,
  from_state: from ?? null,
  to_state: to,
  by,
  at,
  why: why ?? null,
  protocol: protocol?.did ?? null,
  protocol_version: protocol?.version ?? null,
})
