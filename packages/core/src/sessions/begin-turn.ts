import type { Usage } from '@sibyl/protocol'
import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { type AdmitResult, writeMessage } from './first-message.ts'
import { sessionTitle } from './session-title.ts'
import type { SharedTime } from './shared-time.ts'
import { spendNonce } from './spent-nonce.ts'
import { readJson, storable } from './turn-message.ts'
import type { TurnStart } from './turn-start.ts'
import { takeUpApprovals } from './withdraw-approvals.ts'
import { deleteTurn, withdrawTurn } from './withdraw-turn.ts'

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
