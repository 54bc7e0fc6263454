import { newId } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { spendNonce } from '../../auth/revocation-store.ts'
import { type CoreRow, type CoreTables, rowByRow, sharedTime } from '../../database/core-tables.ts'
import { countInSessions } from '../../database/count-stored.ts'
import { storedTurnBytes } from '../../database/stored-bytes-tables.ts'
import { readJson, storable } from '../../database/stored-json.ts'
import { nextPosition, sessionTitle } from '../../sessions/session-store.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import { type ClaimedSession, noUsage, type TurnClaim } from '../store/turn.ts'
import { resumableJson } from '../store/turn-progress.ts'
import { deleteTurn, resumeApprovals, withdrawApprovals, withdrawTurn } from '../store/withdraw-turn.ts'
import { cutHistory, dropAnswers } from './drop-messages.ts'

/** The result of an attempt to claim a session. */
export type ClaimResult =
  | ({ readonly kind: 'claimed' } & ClaimedSession)
  | { readonly kind: 'repeated'; readonly turnId: string }
  | { readonly kind: 'busy'; readonly turnId: string }
  | { readonly kind: 'replayed' | 'message_id_taken' | 'approval_withdrawn' }

/**
 * Claims the session for a turn, unless the same message began one before or another one runs. Statements that do not read
 * each other's rows are sent at once; a turn that may not begin takes back what it wrote.
 */
const claimTurn = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<ClaimResult> => {
  const [isFresh, inserted, [session]] = await Promise.all([
    !claim.nonce || spendNonce(tx, claim.nonce),
    runFixed(tx, turnInsert, turnValues(claim)),
    runFixed(tx, sessionClaim, sessionValues(claim)),
  ])
  if (!isFresh || inserted.length === 0) {
    await withdrawTurn(tx, claim)
    return isFresh ? { kind: 'repeated', turnId: await turnOfMessage(tx, claim) } : { kind: 'replayed' }
  }
  if (!session) {
    await deleteTurn(tx, claim.id)
    return { kind: 'busy', turnId: await runningTurn(tx, claim) }
  }
  if (claim.continues !== undefined && !(await resumeApprovals(tx, claim.continues, claim.id))) {
    await withdrawTurn(tx, claim)
    return { kind: 'approval_withdrawn' }
  }
  const createdSession = session.first_turn === claim.id
  if (createdSession && claim.history?.length) await insertHistory(tx, claim, claim.history)
  if (claim.admitted) {
    // The counts come last if a plugin writes, since others wait for their rows.
    const [written] = claim.within
      ? [await writeMessage(tx, claim, createdSession), await countClaim(tx, claim)]
      : await Promise.all([writeMessage(tx, claim, createdSession), countClaim(tx, claim)])
    if (written === 'message_id_taken') {
      await withdrawTurn(tx, claim)
      await countClaim(tx, claim, -1)
      return { kind: 'message_id_taken' }
    }
  }
  return {
    kind: 'claimed',
    createdSession,
    loadedPlugins: readJson<string[]>(session.loaded_plugins, []),
    approvedTools: readJson<string[]>(session.approved_tools, []),
  }
}

/** Writes what an admitted turn writes first. */
const admitTurn = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<AdmitResult> => {
  const admitted = await tx
    .updateTable('core_turns')
    .set({ admitted: 1 })
    .where(eb => eb.and({ id: claim.id, status: 'running' }))
    .returning('id')
    .executeTakeFirst()
  if (!admitted) return 'gone'
  const written = await writeMessage(tx, claim, false)
  if (written === 'admitted') await countClaim(tx, claim)
  return written
}

/** Counts what an admitted turn has written, or with -1 that it was taken back. */
const countClaim = (tx: Transaction<CoreTables>, claim: TurnClaim, sign: 1 | -1 = 1): Promise<void> =>
  countInSessions(tx, [{ ...claim.actor, sessionId: claim.sessionId, bytes: sign * claimBytes(claim) }])

/** Returns what a turn stores when it begins, in bytes. */
export const claimBytes = ({ text, message, history = [] }: Pick<TurnClaim, 'text' | 'message' | 'history'>): number =>
  storedTurnBytes +
  Buffer.byteLength(text) +
  (message ? Buffer.byteLength(JSON.stringify(message.parts)) : 0) +
  history.reduce((sum, earlier) => sum + Buffer.byteLength(earlier.text) + 100, 0)

const turnValues = ({ id, sessionId, answerId, channel, processId, startedAt, ...claim }: TurnClaim) => ({
  id,
  owner: claim.actor.did,
  sessionId,
  messageKey: claim.messageKey ?? null,
  answerId,
  channel,
  actor: JSON.stringify(claim.actor),
  holder: claim.actor.holder ?? null,
  origin: claim.actor.origin ?? null,
  text: storable(claim.text),
  usage: JSON.stringify(noUsage),
  model: claim.model as string | null,
  processId,
  admitted: claim.admitted ? 1 : 0,
  startedAt,
  resumable: claim.resumable ?? null,
})

const turnInsert: FixedStatement<CoreTables, ReturnType<typeof turnValues>, { id: string }> = (tx, value, engine) => {
  const at = sharedTime(engine, value('startedAt'))
  return tx
    .insertInto('core_turns')
    .values({
      id: value('id'),
      owner: value('owner'),
      session_id: value('sessionId'),
      message_key: value('messageKey'),
      answer_id: value('answerId'),
      channel: value('channel'),
      actor: value('actor'),
      holder: value('holder'),
      origin: value('origin'),
      text: value('text'),
      status: 'running',
      code: null,
      usage: value('usage'),
      model: value('model'),
      tools: null,
      process_id: value('processId'),
      admitted: value('admitted'),
      heartbeat_at: at,
      reader_seen_at: at,
      followed_at: 0,
      stop_requested: 0,
      hooks_called: 0,
      hooks_done: null,
      hooks_tries: 0,
      hooks_due_at: 0,
      removed: 0,
      started_at: value('startedAt'),
      ended_at: null,
      request: value('resumable'),
      checkpoint: null,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'message_key']).doNothing())
    .returning('id')
}

/** The turn of the same message; none when it was taken back meanwhile. */
const turnOfMessage = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<string> => {
  const row = await tx
    .selectFrom('core_turns')
    .select('id')
    .where(eb => eb.and({ owner: claim.actor.did, session_id: claim.sessionId, message_key: claim.messageKey ?? '' }))
    .executeTakeFirst()
  return row?.id ?? ''
}

/** The turn that is in the session; none when it has ended meanwhile. */
const runningTurn = async (tx: Transaction<CoreTables>, claim: TurnClaim): Promise<string> => {
  const row = await tx
    .selectFrom('core_sessions')
    .select('running_turn')
    .where(eb => eb.and({ owner: claim.actor.did, id: claim.sessionId }))
    .executeTakeFirst()
  return row?.running_turn ?? ''
}

const sessionValues = ({ id: turnId, actor, sessionId, text, history, startedAt }: TurnClaim) => {
  const title = sessionTitle(history?.find(({ role }) => role === 'user')?.text ?? text)
  return { owner: actor.did, sessionId, title, turnId, startedAt }
}

type SessionRow = Pick<CoreRow<'core_sessions'>, 'loaded_plugins' | 'approved_tools' | 'first_turn'>

const sessionClaim: FixedStatement<CoreTables, ReturnType<typeof sessionValues>, SessionRow> = (tx, value) =>
  tx
    .insertInto('core_sessions')
    .values({
      owner: value('owner'),
      id: value('sessionId'),
      title: value('title'),
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: value('turnId'),
      running_turn: value('turnId'),
      created_at: value('startedAt'),
      updated_at: value('startedAt'),
      bytes: 0,
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'id'])
        .doUpdateSet({ running_turn: value('turnId'), updated_at: value('startedAt') })
        .where('core_sessions.running_turn', 'is', null),
    )
    .returning(['loaded_plugins', 'approved_tools', 'first_turn'])

/** Whether an admitted turn could write its message; `gone` when it was taken back meanwhile. */
type AdmitResult = 'admitted' | 'message_id_taken' | 'gone'

/**
 * Writes what a turn writes first: the user's message, and what that ends. Questions of the session are withdrawn, and an
 * answer that is to be given again is dropped, as is what a message replaces. What a plugin writes with it comes last.
 *
 * @param newSession Whether the session is as new as the turn, and has no questions.
 */
const writeMessage = async (
  tx: Transaction<CoreTables>,
  claim: TurnClaim,
  newSession: boolean,
): Promise<Exclude<AdmitResult, 'gone'>> => {
  const owner = claim.actor.did
  const { id, message, regenerate, replaces, sessionId, startedAt, within } = claim
  if (replaces && !newSession) await cutHistory(tx, claim, replaces.messageId)
  if (message && (await runFixed(tx, messageInsert, messageValues(claim, message))).length === 0) {
    return 'message_id_taken'
  }
  if ((message || regenerate) && !newSession) await withdrawApprovals(tx, { owner, sessionId }, startedAt)
  if (regenerate) await dropAnswers(tx, { owner, sessionId, messageId: regenerate.messageId })
  await within?.(tx, id)
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

const messageValues = (
  { id: turnId, actor, sessionId, startedAt }: TurnClaim,
  { id, parts }: NonNullable<TurnClaim['message']>,
) => ({ owner: actor.did, sessionId, id, parts: JSON.stringify(parts), turnId, startedAt })

const messageInsert: FixedStatement<CoreTables, ReturnType<typeof messageValues>, { id: string }> = (tx, value) =>
  tx
    .insertInto('core_messages')
    .values({
      owner: value('owner'),
      session_id: value('sessionId'),
      id: value('id'),
      position: nextPosition(value('owner'), value('sessionId')),
      role: 'user',
      parts: value('parts'),
      metadata: '{}',
      turn_id: value('turnId'),
      created_at: value('startedAt'),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')

/** Creates the store on the app's storage. */
export const createClaimStore = (storage: Pick<Storage<CoreTables>, 'write'>) => ({
  /** @param committed Called with the result a moment before it is on disk. */
  claim: (claim: TurnClaim, committed?: (result: ClaimResult) => void): Promise<ClaimResult> =>
    storage.write(tx => claimTurn(tx, claim), { ...rowByRow, ...(committed ? { committed } : {}) }),
  /**
   * Writes what an admitted turn writes first, where `claim` holds the session for it only.
   *
   * @param committed Called with the result a moment before it is on disk.
   */
  admit: (claim: TurnClaim, committed?: (result: AdmitResult) => void): Promise<AdmitResult> =>
    storage.write(tx => admitTurn(tx, claim), { ...rowByRow, ...(committed ? { committed } : {}) }),
})

/** Stores the claims of turns. Each call is one transaction. */
export type ClaimStore = ReturnType<typeof createClaimStore>

/** Returns the claim of a requested turn. */
export const claimOf = (
  request: RequestedTurn,
  facts: Pick<TurnClaim, 'admitted' | 'model' | 'processId' | 'startedAt'>,
): TurnClaim => ({
  ...request,
  id: newId('turn'),
  answerId: request.continues?.answerId ?? newId('msg'),
  continues: request.continues?.turnId,
  resumable: resumableJson(request),
  ...facts,
})
