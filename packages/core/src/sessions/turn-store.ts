import type { MessageMetadata, Usage } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import { type Expression, type SqlBool, sql, type Transaction } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import type { CoreTables, TurnStatus } from './core-tables.ts'
import { isToolPart, type MessagePart, readJson } from './turn-message.ts'

/** What proves that an invocation was not used before. */
export interface SpentNonce {
  /** SHA-256 of the signed bytes, base64url. */
  readonly hash: string
  /** Milliseconds since 1970 until which it is kept. */
  readonly expiresAt: number
}

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
  /** Drop the answers after the last user message first. */
  readonly regenerate?: boolean
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
  | { readonly kind: 'replayed' }
  | { readonly kind: 'message_id_taken' }

/** What a turn leaves behind, in one transaction. */
export interface TurnEndRecord {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer: { readonly id: string; readonly parts: readonly MessagePart[]; readonly metadata: MessageMetadata }
  readonly status: Exclude<TurnStatus, 'running'>
  readonly code?: string
  readonly usage: Usage
  readonly hooksCalled: boolean
  /** Events not yet stored: the first one's number and one JSON a line. */
  readonly events?: { readonly firstId: number; readonly body: string }
  readonly now: number
}

const noUsage = JSON.stringify({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 } satisfies Usage)

/** Longest title of a session, in characters. */
const titleLength = 80

/** Keeps turns: begin, progress, end. Each call is one transaction. */
export interface TurnStore {
  begin(start: TurnStart): Promise<BeginResult>
  /** Stores events and the answer so far; true when somebody asked the turn to stop. */
  progress(record: TurnProgress): Promise<boolean>
  end(record: TurnEndRecord): Promise<void>
  /** Takes back a turn that a hook refused: its message goes too. */
  withdraw(turnId: string, owner: string, sessionId: string): Promise<void>
  find(turnId: string): Promise<TurnRow | undefined>
  findByKey(owner: string, sessionId: string, messageKey: string): Promise<TurnRow | undefined>
  /** The turn that runs in a session, if any. */
  findRunning(owner: string, sessionId: string): Promise<TurnRow | undefined>
  requestStop(turnId: string): Promise<void>
  markHooksCalled(turnId: string): Promise<void>
  /** Events of a turn after a number, as `[number, JSON]`. */
  eventsAfter(turnId: string, after: number): Promise<{ readonly id: number; readonly json: string }[]>
}

/** What a running turn stores on its way. */
export interface TurnProgress {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer?: TurnEndRecord['answer']
  readonly events?: TurnEndRecord['events']
  readonly hasReader: boolean
  readonly now: number
}

/** A turn as it is kept. */
export interface TurnRow {
  readonly id: string
  readonly owner: string
  readonly sessionId: string
  readonly answerId: string
  readonly channel: Channel
  readonly actor: Actor
  readonly text: string
  readonly status: TurnStatus
  readonly code: string | undefined
  readonly usage: Usage
  readonly processId: string
  readonly heartbeatAt: number
  readonly readerSeenAt: number
  readonly startedAt: number
  readonly endedAt: number | undefined
}

type Rows = CoreTables['core_turns']

/** Turns a row of `core_turns` into a record. */
export const turnRowOf = (row: Rows): TurnRow => ({
  id: row.id,
  owner: row.owner,
  sessionId: row.session_id,
  answerId: row.answer_id,
  channel: row.channel as Channel,
  actor: readJson<Actor>(row.actor, { did: row.owner, via: 'ucan', scopes: [] }),
  text: row.text,
  status: row.status,
  code: row.code ?? undefined,
  usage: readJson<Usage>(row.usage, { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }),
  processId: row.process_id,
  heartbeatAt: Number(row.heartbeat_at),
  readerSeenAt: Number(row.reader_seen_at),
  startedAt: Number(row.started_at),
  endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
})

/** Makes the store on the app's storage. */
export const createTurnStore = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>): TurnStore => ({
  begin: start => storage.write(tx => begin(tx, start)),
  progress: record => storage.write(tx => progress(tx, record)),
  end: record => storage.write(tx => end(tx, record)),
  async withdraw(turnId, owner, sessionId) {
    await storage.write(async tx => {
      await tx.deleteFrom('core_messages').where('turn_id', '=', turnId).where('owner', '=', owner).execute()
      await tx.deleteFrom('core_turns').where('id', '=', turnId).execute()
      await freeSession(tx, owner, sessionId, turnId)
    })
  },
  async find(turnId) {
    const row = await storage.read.selectFrom('core_turns').selectAll().where('id', '=', turnId).executeTakeFirst()
    return row && turnRowOf(row)
  },
  async findByKey(owner, sessionId, messageKey) {
    const row = await storage.read
      .selectFrom('core_turns')
      .selectAll()
      .where('owner', '=', owner)
      .where('session_id', '=', sessionId)
      .where('message_key', '=', messageKey)
      .executeTakeFirst()
    return row && turnRowOf(row)
  },
  async findRunning(owner, sessionId) {
    const row = await storage.read
      .selectFrom('core_sessions')
      .innerJoin('core_turns', 'core_turns.id', 'core_sessions.running_turn')
      .selectAll('core_turns')
      .where('core_sessions.owner', '=', owner)
      .where('core_sessions.id', '=', sessionId)
      .executeTakeFirst()
    return row && turnRowOf(row)
  },
  async requestStop(turnId) {
    await storage.write(tx =>
      tx.updateTable('core_turns').set({ stop_requested: 1 }).where('id', '=', turnId).execute(),
    )
  },
  async markHooksCalled(turnId) {
    await storage.write(tx => tx.updateTable('core_turns').set({ hooks_called: 1 }).where('id', '=', turnId).execute())
  },
  async eventsAfter(turnId, after) {
    const rows = await storage.read
      .selectFrom('core_turn_events')
      .select(['first_id', 'body'])
      .where('turn_id', '=', turnId)
      .orderBy('first_id')
      .execute()
    return rows.flatMap(row =>
      row.body
        .split('\n')
        .map((json, index) => ({ id: row.first_id + index, json }))
        .filter(event => event.id > after),
    )
  },
})

/** Marks a nonce as spent; false when it was spent before. */
export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> => {
  const row = await tx
    .insertInto('core_spent_nonces')
    .values({ hash: nonce.hash, expires_at: nonce.expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

const begin = async (tx: Transaction<CoreTables>, start: TurnStart): Promise<BeginResult> => {
  const owner = start.actor.did
  if (start.nonce && !(await spendNonce(tx, start.nonce))) return { kind: 'replayed' }
  const turn = await insertTurn(tx, start)
  if (!turn) {
    const repeated = await tx
      .selectFrom('core_turns')
      .select('id')
      .where('owner', '=', owner)
      .where('session_id', '=', start.sessionId)
      .where('message_key', '=', start.messageKey ?? '')
      .executeTakeFirstOrThrow()
    return { kind: 'repeated', turnId: repeated.id }
  }
  const session = await claimSession(tx, start)
  if (!session) {
    await tx.deleteFrom('core_turns').where('id', '=', start.turnId).execute()
    const busy = await tx
      .selectFrom('core_sessions')
      .select('running_turn')
      .where('owner', '=', owner)
      .where('id', '=', start.sessionId)
      .executeTakeFirstOrThrow()
    return { kind: 'busy', turnId: busy.running_turn ?? '' }
  }
  const createdSession = session.running_since === start.now && session.created_at === start.now
  if ((start.message || start.regenerate) && !createdSession)
    await withdrawOpenApprovals(tx, owner, start.sessionId, start.now)
  if (start.regenerate) await dropLastAnswers(tx, owner, start.sessionId)
  if (start.message && !(await insertUserMessage(tx, start, start.message))) {
    await tx.deleteFrom('core_turns').where('id', '=', start.turnId).execute()
    await freeSession(tx, owner, start.sessionId, start.turnId)
    return { kind: 'message_id_taken' }
  }
  return {
    kind: 'started',
    createdSession,
    loadedPlugins: readJson<string[]>(session.loaded_plugins, []),
    approvedTools: readJson<string[]>(session.approved_tools, []),
  }
}

const insertTurn = (tx: Transaction<CoreTables>, start: TurnStart) =>
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
      text: start.text,
      status: 'running',
      code: null,
      usage: noUsage,
      process_id: start.processId,
      heartbeat_at: start.now,
      reader_seen_at: start.now,
      stop_requested: 0,
      hooks_called: 0,
      started_at: start.now,
      ended_at: null,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'message_key']).doNothing())
    .returning('id')
    .executeTakeFirst()

const claimSession = (tx: Transaction<CoreTables>, start: TurnStart) =>
  tx
    .insertInto('core_sessions')
    .values({
      owner: start.actor.did,
      id: start.sessionId,
      title: start.text.slice(0, titleLength),
      loaded_plugins: '[]',
      approved_tools: '[]',
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
    .returning(['loaded_plugins', 'approved_tools', 'created_at', 'updated_at as running_since'])
    .executeTakeFirst()

/** A new message answers an open question with no: the question's tool call is kept as refused. */
const withdrawOpenApprovals = async (tx: Transaction<CoreTables>, owner: string, sessionId: string, now: number) => {
  const withdrawn = await tx
    .updateTable('core_approvals')
    .set({ state: 'withdrawn', decided_at: now })
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where('state', '=', 'open')
    .returning(['id', 'tool_call_id'])
    .execute()
  if (withdrawn.length === 0) return
  const messages = await tx
    .selectFrom('core_messages')
    .select(['id', 'parts'])
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where('role', '=', 'assistant')
    .orderBy('position', 'desc')
    .limit(1)
    .execute()
  for (const message of messages) {
    const parts = readJson<MessagePart[]>(message.parts, []).map(part => {
      const approval = isToolPart(part) ? withdrawn.find(row => row.tool_call_id === part.toolCallId) : undefined
      if (!approval) return part
      return { ...part, state: 'output-denied', approval: { id: approval.id, approved: false, reason: 'withdrawn' } }
    })
    await tx
      .updateTable('core_messages')
      .set({ parts: JSON.stringify(parts) })
      .where('owner', '=', owner)
      .where('session_id', '=', sessionId)
      .where('id', '=', message.id)
      .execute()
  }
}

const nextPosition = (owner: string, sessionId: string) =>
  sql<number>`(select coalesce(max(m.position), 0) + 1 from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId})`

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

const dropLastAnswers = async (tx: Transaction<CoreTables>, owner: string, sessionId: string) => {
  await tx
    .deleteFrom('core_messages')
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where(
      sql<SqlBool>`position > (select coalesce(max(m.position), 0) from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId} and m.role = 'user')` as Expression<SqlBool>,
    )
    .execute()
}

const freeSession = async (tx: Transaction<CoreTables>, owner: string, sessionId: string, turnId: string) => {
  await tx
    .updateTable('core_sessions')
    .set({ running_turn: null })
    .where('owner', '=', owner)
    .where('id', '=', sessionId)
    .where('running_turn', '=', turnId)
    .execute()
}

const upsertAnswer = async (tx: Transaction<CoreTables>, record: TurnProgress | TurnEndRecord) => {
  if (!record.answer || record.answer.parts.length === 0) return
  const parts = JSON.stringify(record.answer.parts)
  const metadata = JSON.stringify(record.answer.metadata)
  await tx
    .insertInto('core_messages')
    .values({
      owner: record.owner,
      session_id: record.sessionId,
      id: record.answer.id,
      position: nextPosition(record.owner, record.sessionId),
      role: 'assistant',
      parts,
      metadata,
      turn_id: record.turnId,
      created_at: record.now,
    })
    .onConflict(conflict => conflict.columns(['owner', 'session_id', 'id']).doUpdateSet({ parts, metadata }))
    .execute()
}

const insertEvents = async (tx: Transaction<CoreTables>, record: TurnProgress | TurnEndRecord) => {
  if (!record.events) return
  await tx
    .insertInto('core_turn_events')
    .values({
      turn_id: record.turnId,
      first_id: record.events.firstId,
      body: record.events.body,
      created_at: record.now,
    })
    .execute()
}

const progress = async (tx: Transaction<CoreTables>, record: TurnProgress): Promise<boolean> => {
  await upsertAnswer(tx, record)
  await insertEvents(tx, record)
  const row = await tx
    .updateTable('core_turns')
    .set({ heartbeat_at: record.now, ...(record.hasReader ? { reader_seen_at: record.now } : {}) })
    .where('id', '=', record.turnId)
    .returning('stop_requested')
    .executeTakeFirst()
  return row === undefined || row.stop_requested === 1
}

const end = async (tx: Transaction<CoreTables>, record: TurnEndRecord): Promise<void> => {
  await upsertAnswer(tx, record)
  await insertEvents(tx, record)
  await tx
    .updateTable('core_turns')
    .set({
      status: record.status,
      code: record.code ?? null,
      usage: JSON.stringify(record.usage),
      hooks_called: record.hooksCalled ? 1 : 0,
      ended_at: record.now,
    })
    .where('id', '=', record.turnId)
    .execute()
  await freeSession(tx, record.owner, record.sessionId, record.turnId)
}
