import type { Usage } from '@sibyl/protocol'
import type { Transaction } from 'kysely'
import type { CoreTables, SharedTime } from '../sessions/core-tables.ts'
import { sessionTitle } from '../sessions/session-store.ts'
import { spendNonce } from '../sessions/spent-nonce.ts'
import { readJson, storable } from '../sessions/stored-message.ts'
import { dropAnswers } from './drop-answers.ts'
import { deleteTurn, nextPosition, withdrawTurn } from './end-turn.ts'
import type { TurnStart } from './turn.ts'
import { takeUpApprovals, withdrawApprovals } from './withdraw-approvals.ts'

/** What came of an attempt to start a turn. */
export type BeginResult =
  | {
      readonly kind: 'started'
      readonly createdSession: boolean
      readonly loadedPlugins: string[]
      readonly approvedTools: string[]
    }
  | { readonly kind: 'repeated'; readonly turnId: string }
  | { readonly kind: 'busy'; readonly turnId: string }
  | { readonly kind: 'replayed' | 'message_id_taken' | 'approval_withdrawn' }

const noUsage = JSON.stringify({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 } satisfies Usage)

/** Claims the session for a turn, unless the same message began one before or another one runs. */
export const beginTurn = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  at: SharedTime,
): Promise<BeginResult> => {
  if (start.nonce && !(await spendNonce(tx, start.nonce))) return { kind: 'replayed' }
  if (!(await insertTurn(tx, start, at))) return { kind: 'repeated', turnId: await turnOfMessage(tx, start) }
  const session = await claimSession(tx, start)
  if (!session) {
    await deleteTurn(tx, start)
    return { kind: 'busy', turnId: await runningTurn(tx, start) }
  }
  if (start.continues !== undefined && !(await takeUpApprovals(tx, start.continues, start.turnId))) {
    await withdrawTurn(tx, start)
    return { kind: 'approval_withdrawn' }
  }
  const createdSession = session.first_turn === start.turnId
  if (start.admitted && (await writeMessage(tx, start, createdSession)) === 'message_id_taken') {
    await withdrawTurn(tx, start)
    return { kind: 'message_id_taken' }
  }
  return {
    kind: 'started',
    createdSession,
    loadedPlugins: readJson<string[]>(session.loaded_plugins, []),
    approvedTools: readJson<string[]>(session.approved_tools, []),
  }
}

/** Writes what an admitted turn writes first. */
export const admitTurn = async (tx: Transaction<CoreTables>, start: TurnStart): Promise<AdmitResult> => {
  const admitted = await tx
    .updateTable('core_turns')
    .set({ admitted: 1 })
    .where('id', '=', start.turnId)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return admitted ? writeMessage(tx, start, false) : 'gone'
}

const insertTurn = (tx: Transaction<CoreTables>, start: TurnStart, at: SharedTime) =>
  tx
    .insertInto('core_turns')
    .values({
      id: start.turnId,
      owner: start.actor.did,
      session_id: start.sessionId,
      message_key: start.messageKey ?? null,
      answer_id: start.answerId,
      channel: start.channel,
      actor: JSON.stringify(start.actor),
      holder: start.actor.holder ?? null,
      origin: start.actor.origin ?? null,
      text: storable(start.text),
      status: 'running',
      code: null,
      usage: noUsage,
      model: start.model,
      tools: null,
      process_id: start.processId,
      admitted: start.admitted ? 1 : 0,
      heartbeat_at: at,
      reader_seen_at: at,
      followed_at: 0,
      stop_requested: 0,
      hooks_called: 0,
      hooks_done: null,
      hooks_tries: 0,
      hooks_due_at: 0,
      removed: 0,
      started_at: start.now,
      ended_at: null,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'message_key']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** The turn of the same message; none when it was taken back meanwhile. */
const turnOfMessage = async (tx: Transaction<CoreTables>, start: TurnStart): Promise<string> => {
  const row = await tx
    .selectFrom('core_turns')
    .select('id')
    .where('owner', '=', start.actor.did)
    .where('session_id', '=', start.sessionId)
    .where('message_key', '=', start.messageKey ?? '')
    .executeTakeFirst()
  return row?.id ?? ''
}

/** The turn that is in the session; none when it has ended meanwhile. */
const runningTurn = async (tx: Transaction<CoreTables>, start: TurnStart): Promise<string> => {
  const row = await tx
    .selectFrom('core_sessions')
    .select('running_turn')
    .where('owner', '=', start.actor.did)
    .where('id', '=', start.sessionId)
    .executeTakeFirst()
  return row?.running_turn ?? ''
}

const claimSession = (tx: Transaction<CoreTables>, start: TurnStart) =>
  tx
    .insertInto('core_sessions')
    .values({
      owner: start.actor.did,
      id: start.sessionId,
      title: sessionTitle(start.text),
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: start.turnId,
      running_turn: start.turnId,
      created_at: start.now,
      updated_at: start.now,
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'id'])
        .doUpdateSet({ running_turn: start.turnId, updated_at: start.now })
        .where('core_sessions.running_turn', 'is', null),
    )
    .returning(['loaded_plugins', 'approved_tools', 'first_turn'])
    .executeTakeFirst()

/** Whether an admitted turn could write its message; `gone` when it was taken back meanwhile. */
export type AdmitResult = 'admitted' | 'message_id_taken' | 'gone'

/**
 * Writes what a turn writes first: the user's message, and what that ends. Questions of the session are withdrawn, and an
 * answer that is to be given anew is dropped.
 *
 * @param newSession Whether the session is as new as the turn, and has no questions.
 */
export const writeMessage = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  newSession: boolean,
): Promise<Exclude<AdmitResult, 'gone'>> => {
  const owner = start.actor.did
  const { message, regenerate, sessionId, now } = start
  if (message && !(await insertUserMessage(tx, start, message))) return 'message_id_taken'
  if ((message || regenerate) && !newSession) await withdrawApprovals(tx, { owner, sessionId }, now)
  if (regenerate) await dropAnswers(tx, { owner, sessionId, messageId: regenerate.messageId })
  return 'admitted'
}

const insertUserMessage = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  message: NonNullable<TurnStart['message']>,
) => {
  const row = await tx
    .insertInto('core_messages')
    .values({
      owner: start.actor.did,
      session_id: start.sessionId,
      id: message.id,
      position: nextPosition(start.actor.did, start.sessionId),
      role: 'user',
      parts: JSON.stringify(message.parts),
      metadata: '{}',
      turn_id: start.turnId,
      created_at: start.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
