import type { Transaction } from 'kysely'
import { spendNonce } from '../auth/replay-guard.ts'
import type { CoreTables, SharedTime } from '../database/core-tables.ts'
import { readJson, storable } from '../database/stored-json.ts'
import { nextPosition, sessionTitle } from '../sessions/session-store.ts'
import { dropAnswers } from './drop-answers.ts'
import { deleteTurn, withdrawTurn } from './end-turn.ts'
import { noUsage, type TurnClaim } from './turn.ts'
import { takeUpApprovals, withdrawApprovals } from './withdraw-approvals.ts'

/** The session that a turn has claimed. */
export interface ClaimedSession {
  /** Whether the turn created it. */
  readonly createdSession: boolean
  readonly loadedPlugins: readonly string[]
  readonly approvedTools: readonly string[]
}

/** The result of an attempt to claim a session. */
export type ClaimResult =
  | ({ readonly kind: 'claimed' } & ClaimedSession)
  | { readonly kind: 'repeated'; readonly turnId: string }
  | { readonly kind: 'busy'; readonly turnId: string }
  | { readonly kind: 'replayed' | 'message_id_taken' | 'approval_withdrawn' }

/** Claims the session for a turn, unless the same message began one before or another one runs. */
export const claimTurn = async (
  tx: Transaction<CoreTables>,
  claim: TurnClaim,
  at: SharedTime,
): Promise<ClaimResult> => {
  if (claim.nonce && !(await spendNonce(tx, claim.nonce))) return { kind: 'replayed' }
  if (!(await insertTurn(tx, claim, at))) return { kind: 'repeated', turnId: await turnOfMessage(tx, claim) }
  const session = await claimSession(tx, claim)
  if (!session) {
    await deleteTurn(tx, claim.id)
    return { kind: 'busy', turnId: await runningTurn(tx, claim) }
  }
  if (claim.continues !== undefined && !(await takeUpApprovals(tx, claim.continues, claim.id))) {
    await withdrawTurn(tx, claim)
    return { kind: 'approval_withdrawn' }
  }
  const createdSession = session.first_turn === claim.id
  if (createdSession && claim.history) await insertHistory(tx, claim, claim.history)
  if (claim.admitted && (await writeMessage(tx, claim, createdSession)) === 'message_id_taken') {
    await withdrawTurn(tx, claim)
    return { kind: 'message_id_taken' }
  }
  return {
    kind: 'claimed',
    createdSession,
    loadedPlugins: readJson<string[]>(session.loaded_plugins, []),
    approvedTools: readJson<string[]>(session.approved_tools, []),
  }
}

/** Writes what an admitted turn writes first. */
export const admitTurn = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<AdmitResult> => {
  const admitted = await tx
    .updateTable('core_turns')
    .set({ admitted: 1 })
    .where('id', '=', claim.id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return admitted ? writeMessage(tx, claim, false) : 'gone'
}

const insertTurn = (tx: Transaction<CoreTables>, claim: TurnClaim, at: SharedTime) =>
  tx
    .insertInto('core_turns')
    .values({
      id: claim.id,
      owner: claim.actor.did,
      session_id: claim.sessionId,
      message_key: claim.messageKey ?? null,
      answer_id: claim.answerId,
      channel: claim.channel,
      actor: JSON.stringify(claim.actor),
      holder: claim.actor.holder ?? null,
      origin: claim.actor.origin ?? null,
      text: storable(claim.text),
      status: 'running',
      code: null,
      usage: JSON.stringify(noUsage),
      model: claim.model,
      tools: null,
      process_id: claim.processId,
      admitted: claim.admitted ? 1 : 0,
      heartbeat_at: at,
      reader_seen_at: at,
      followed_at: 0,
      stop_requested: 0,
      hooks_called: 0,
      hooks_done: null,
      hooks_tries: 0,
      hooks_due_at: 0,
      removed: 0,
      started_at: claim.startedAt,
      ended_at: null,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'message_key']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** The turn of the same message; none when it was taken back meanwhile. */
const turnOfMessage = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<string> => {
  const row = await tx
    .selectFrom('core_turns')
    .select('id')
    .where('owner', '=', claim.actor.did)
    .where('session_id', '=', claim.sessionId)
    .where('message_key', '=', claim.messageKey ?? '')
    .executeTakeFirst()
  return row?.id ?? ''
}

/** The turn that is in the session; none when it has ended meanwhile. */
const runningTurn = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<string> => {
  const row = await tx
    .selectFrom('core_sessions')
    .select('running_turn')
    .where('owner', '=', claim.actor.did)
    .where('id', '=', claim.sessionId)
    .executeTakeFirst()
  return row?.running_turn ?? ''
}

const claimSession = (tx: Transaction<CoreTables>, claim: TurnClaim) =>
  tx
    .insertInto('core_sessions')
    .values({
      owner: claim.actor.did,
      id: claim.sessionId,
      title: sessionTitle(claim.history?.find(({ role }) => role === 'user')?.text ?? claim.text),
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: claim.id,
      running_turn: claim.id,
      created_at: claim.startedAt,
      updated_at: claim.startedAt,
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'id'])
        .doUpdateSet({ running_turn: claim.id, updated_at: claim.startedAt })
        .where('core_sessions.running_turn', 'is', null),
    )
    .returning(['loaded_plugins', 'approved_tools', 'first_turn'])
    .executeTakeFirst()

/** Whether an admitted turn could write its message; `gone` when it was taken back meanwhile. */
export type AdmitResult = 'admitted' | 'message_id_taken' | 'gone'

/**
 * Writes what a turn writes first: the user's message, and what that ends. Questions of the session are withdrawn, and an
 * answer that is to be given again is dropped.
 *
 * @param newSession Whether the session is as new as the turn, and has no questions.
 */
export const writeMessage = async (
  tx: Transaction<CoreTables>,
  claim: TurnClaim,
  newSession: boolean,
): Promise<Exclude<AdmitResult, 'gone'>> => {
  const owner = claim.actor.did
  const { message, regenerate, sessionId, startedAt } = claim
  if (message && !(await insertUserMessage(tx, claim, message))) return 'message_id_taken'
  if ((message || regenerate) && !newSession) await withdrawApprovals(tx, { owner, sessionId }, startedAt)
  if (regenerate) await dropAnswers(tx, { owner, sessionId, messageId: regenerate.messageId })
  return 'admitted'
}

/** Writes the earlier messages of a new session; each belongs to the turn, which takes them back if it is refused. */
const insertHistory = async (
  tx: Transaction<CoreTables>,
  claim: TurnClaim,
  history: NonNullable<TurnClaim['history']>,
): Promise<void> => {
  await tx
    .insertInto('core_messages')
    .values(
      history.map(({ role, text }, position) => ({
        owner: claim.actor.did,
        session_id: claim.sessionId,
        id: `${claim.id}-earlier-${position}`,
        position: position + 1,
        role,
        parts: JSON.stringify([{ type: 'text', text: storable(text) }]),
        metadata: '{}',
        turn_id: claim.id,
        created_at: claim.startedAt,
      })),
    )
    .execute()
}

const insertUserMessage = async (
  tx: Transaction<CoreTables>,
  claim: TurnClaim,
  message: NonNullable<TurnClaim['message']>,
) => {
  const row = await tx
    .insertInto('core_messages')
    .values({
      owner: claim.actor.did,
      session_id: claim.sessionId,
      id: message.id,
      position: nextPosition(claim.actor.did, claim.sessionId),
      role: 'user',
      parts: JSON.stringify(message.parts),
      metadata: '{}',
      turn_id: claim.id,
      created_at: claim.startedAt,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
