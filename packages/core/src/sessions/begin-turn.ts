import type { Usage } from '@sibyl/protocol'
import { sql } from '@sibyl/storage'
import type { Expression, SqlBool, Transaction } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import type { CoreTables } from './core-tables.ts'
import { freeSession, nextPosition } from './end-turn.ts'
import type { SharedTime } from './shared-time.ts'
import { type SpentNonce, spendNonce } from './spent-nonce.ts'
import { type MessagePart, readJson, storable } from './turn-message.ts'
import { takeUpApprovals, withdrawApprovals } from './withdraw-approvals.ts'

/** What a turn starts with. */
export interface TurnStart {
  readonly turnId: string
  readonly answerId: string
  readonly actor: Actor
  readonly sessionId: string
  readonly channel: Channel
  readonly text: string
  /** The user's message; none when a turn goes on after an approval or answers anew. */
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] }
  readonly messageKey?: string
  readonly nonce?: SpentNonce
  /** Drop an answer and what follows it first: the one named, or the last. */
  readonly regenerate?: { readonly messageId?: string }
  /** The turn whose approved calls this one runs. */
  readonly continues?: string
  /** Whether nobody can refuse it any more; else `admit` or `withdraw` follows. */
  readonly admitted: boolean
  /** The name of the model that is to answer. */
  readonly model: string
  readonly processId: string
  readonly now: number
}

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

/** Whether an admitted turn could write its message; `gone` when it was taken back meanwhile. */
export type AdmitResult = 'admitted' | 'message_id_taken' | 'gone'

const noUsage = JSON.stringify({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 } satisfies Usage)

/** Longest title of a session, in characters. */
const titleLength = 80

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

/** Takes back a turn that was never launched, with its message; a session that it made goes too. */
export const withdrawTurn = async (
  tx: Transaction<CoreTables>,
  { turnId, actor, sessionId }: Pick<TurnStart, 'turnId' | 'actor' | 'sessionId'>,
): Promise<void> => {
  await deleteTurn(tx, { turnId })
  await tx.updateTable('core_approvals').set({ taken_up_by: null }).where('taken_up_by', '=', turnId).execute()
  await tx
    .deleteFrom('core_messages')
    .where('owner', '=', actor.did)
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', turnId)
    .execute()
  await tx
    .deleteFrom('core_sessions')
    .where('owner', '=', actor.did)
    .where('id', '=', sessionId)
    .where('first_turn', '=', turnId)
    .execute()
  await freeSession(tx, actor.did, sessionId, turnId)
}

/** Takes a turn back as `withdrawTurn` does, unless it has ended meanwhile: then it stays. */
export const takeBackTurn = async (
  tx: Transaction<CoreTables>,
  turn: Pick<TurnStart, 'turnId' | 'actor' | 'sessionId'>,
): Promise<void> => {
  // Writes, so that nobody ends it until this is over.
  const running = await tx
    .updateTable('core_turns')
    .set({ stop_requested: 1 })
    .where('id', '=', turn.turnId)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (running) await withdrawTurn(tx, turn)
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
      started_at: start.now,
      ended_at: null,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'message_key']).doNothing())
    .returning('id')
    .executeTakeFirst()

const deleteTurn = async (tx: Transaction<CoreTables>, { turnId }: Pick<TurnStart, 'turnId'>) => {
  await tx.deleteFrom('core_turns').where('id', '=', turnId).execute()
}

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
      title: storable(start.text.slice(0, titleLength)),
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

const writeMessage = async (
  tx: Transaction<CoreTables>,
  start: TurnStart,
  newSession: boolean,
): Promise<AdmitResult> => {
  const owner = start.actor.did
  const { message, regenerate, sessionId, now } = start
  if (message && !(await insertUserMessage(tx, start, message))) return 'message_id_taken'
  if ((message || regenerate) && !newSession) await withdrawApprovals(tx, { owner, sessionId }, now)
  if (regenerate) await dropAnswers(tx, owner, sessionId, regenerate.messageId)
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

/** Drops the named answer, or the last ones, and all that follows. */
const dropAnswers = async (
  tx: Transaction<CoreTables>,
  owner: string,
  sessionId: string,
  messageId: string | undefined,
) => {
  const named =
    messageId === undefined
      ? undefined
      : await tx
          .selectFrom('core_messages')
          .select('position')
          .where('owner', '=', owner)
          .where('session_id', '=', sessionId)
          .where('id', '=', messageId)
          .executeTakeFirst()
  const until = named ? sql`and m.position <= ${named.position}` : sql``
  const keepUntil = sql<number>`(select coalesce(max(m.position), 0) from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId} and m.role = 'user' ${until})`
  await tx
    .deleteFrom('core_messages')
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where(sql<SqlBool>`position > ${keepUntil}` as Expression<SqlBool>)
    .execute()
}
