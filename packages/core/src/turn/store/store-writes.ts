import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { SqlBool, Transaction } from 'kysely'
import { addTokenUsage } from '../../budgets/token-usage-store.ts'
import { type CoreRow, type CoreTables, sharedTime } from '../../database/core-tables.ts'
import { countInSessions, countStored } from '../../database/count-stored.ts'
import { insertTiming } from '../../database/stored-timings.ts'
import { nextPosition } from '../../sessions/session-store.ts'
import type { EndRecord, ProgressRecord, ProgressReply } from './turn.ts'
import { withdrawApprovals } from './withdraw-turn.ts'

/** Stores events and the answer so far of a running turn, and reads requests of other processes. */
export const progressTurn = async (
  tx: Transaction<CoreTables>,
  record: ProgressRecord,
  processId: string,
): Promise<ProgressReply> => {
  const { turnId, owner, sessionId, checkpoint, hasReader, now } = record
  const [row] = await runFixed(tx, turnProgress, {
    ...{ turnId, processId, now },
    ...usedJson(record),
    checkpoint: checkpoint ? JSON.stringify(checkpoint) : null,
    hasReader: hasReader ? 1 : 0,
  })
  if (!row) return { stop: true, unfollowedMs: Number.POSITIVE_INFINITY }
  await countInSessions(tx, [{ did: owner, sessionId, bytes: await storeWrites(tx, record) }])
  return { stop: row.stop_requested === 1, unfollowedMs: Number(row.heartbeat_at) - Number(row.followed_at) }
}

type UsedTurn = Readonly<Record<'turnId' | 'usage', string>> & { readonly tools: string | null; readonly now: number }

const turnProgress: FixedStatement<
  CoreTables,
  UsedTurn & { readonly processId: string; readonly checkpoint: string | null; readonly hasReader: number },
  Pick<CoreRow<'core_turns'>, 'stop_requested' | 'heartbeat_at' | 'followed_at'>
> = (tx, value, engine) => {
  const at = sharedTime(engine, value('now'))
  return tx
    .updateTable('core_turns')
    .set({
      heartbeat_at: at,
      usage: value('usage'),
      tools: value('tools'),
      checkpoint: sql`coalesce(${value('checkpoint')}, checkpoint)`,
      reader_seen_at: sql`case when cast(${value('hasReader')} as integer) = 1 then ${at} else reader_seen_at end`,
    })
    .where(eb => eb.and({ id: value('turnId'), status: 'running', process_id: value('processId') }))
    .returning(['stop_requested', 'heartbeat_at', 'followed_at'])
}

/** Stores the end of a turn and frees its session; false when another process ended the turn, or it was deleted. */
export const endTurn = async (tx: Transaction<CoreTables>, record: EndRecord, processId: string): Promise<boolean> => {
  const { turnId, owner, sessionId, answer, status, left, usage, now } = record
  const [ended] = await runFixed(tx, turnEnd, {
    ...{ turnId, status, now },
    ...usedJson(record),
    code: record.code ?? null,
    hooksCalled: record.hooksCalled ? 1 : 0,
    processId: left ? null : processId,
    silentForMs: left?.silentForMs ?? null,
  })
  if (!ended) return wasStored(tx, record)
  const ids = { owner, sessionId, turnId }
  // Sent at once, they run in this order.
  const [more, [own]] = await Promise.all([
    storeWrites(tx, record),
    runFixed(tx, storedBytesOf, { ...ids, answerId: answer?.id ?? '' }),
    record.timing && insertTiming(tx, record, record.timing),
  ])
  if (status === 'stopped') await withdrawApprovals(tx, record, now)
  const bytes = more + Number(own!.bytes)
  const [session] = await runFixed(tx, sessionEnd, { ...ids, bytes })
  // Last: all turns of a holder contend for these rows.
  const holder = ended.holder ?? owner
  await Promise.all([
    session && countStored(tx, [{ did: owner, holder, bytes }]),
    addTokenUsage(tx, { holder, origin: ended.origin, usage, now }),
  ])
  return true
}

type TurnEnd = UsedTurn & {
  readonly status: EndRecord['status']
  readonly code: string | null
  readonly hooksCalled: number
  /** Null for a turn whose process is gone. */
  readonly processId: string | null
  readonly silentForMs: number | null
}

const turnEnd: FixedStatement<CoreTables, TurnEnd, Pick<CoreRow<'core_turns'>, 'holder' | 'origin'>> = (
  tx,
  value,
  engine,
) => {
  const at = sharedTime(engine, value('now'))
  return tx
    .updateTable('core_turns')
    .set({
      status: value('status'),
      code: value('code'),
      usage: value('usage'),
      tools: value('tools'),
      hooks_called: value('hooksCalled'),
      ended_at: at,
      request: null,
      checkpoint: null,
    })
    .where(eb => eb.and({ id: value('turnId'), status: 'running' }))
    .where('process_id', '=', sql<string>`coalesce(${value('processId')}, process_id)`)
    .where(sql<SqlBool>`coalesce(heartbeat_at <= ${at} - cast(${value('silentForMs')} as bigint), true)`)
    .returning(['holder', 'origin'])
}

/** Adds to the bytes of a session, and frees it for the next turn if this one occupies it. */
const sessionEnd: FixedStatement<CoreTables, SessionTurn & { readonly bytes: number }, unknown> = (tx, value) =>
  tx
    .updateTable('core_sessions')
    .set({
      bytes: sql`bytes + ${value('bytes')}`,
      running_turn: sql`nullif(running_turn, ${value('turnId')})`,
    })
    .where(eb => eb.and({ owner: value('owner'), id: value('sessionId') }))
    .returning('id')

const usedJson = ({ usage, tools }: Pick<ProgressRecord, 'usage' | 'tools'>) => ({
  usage: JSON.stringify(usage),
  tools: Object.keys(tools).length > 0 ? JSON.stringify(tools) : null,
})

/**
 * Returns whether this end was stored by an earlier try with an unknown outcome. Other processes can end a turn only as
 * left.
 */
const wasStored = async (tx: Transaction<CoreTables>, record: EndRecord): Promise<boolean> => {
  if (record.left) return false
  const row = await tx.selectFrom('core_turns').select('status').where('id', '=', record.turnId).executeTakeFirst()
  return row?.status === record.status
}

type SessionTurn = { readonly owner: string; readonly sessionId: string; readonly turnId: string }

/**
 * Stores the answer so far and new events of a turn, and returns by how many bytes an answer grew that an earlier turn began.
 * What a turn stores itself counts at its end.
 */
const storeWrites = async (tx: Transaction<CoreTables>, record: ProgressRecord | EndRecord): Promise<number> => {
  const { owner, sessionId, turnId, answer, events, now, mayContinue } = record
  const written = answer && answer.parts.length > 0 ? answer : undefined
  const [parts, metadata] = [JSON.stringify(written?.parts), JSON.stringify(written?.metadata)]
  const [before] = await Promise.all([
    written && mayContinue ? runFixed(tx, earlierBytes, { owner, sessionId, turnId, id: written.id }) : [],
    written && runFixed(tx, answerUpsert, { owner, sessionId, id: written.id, parts, metadata, turnId, now }),
    // A batch that was stored before without confirmation is replaced.
    events && runFixed(tx, eventsUpsert, { ...events, turnId, now }),
  ])
  return before[0] ? Buffer.byteLength(parts) + Buffer.byteLength(metadata) - before[0].bytes : 0
}

const earlierBytes: FixedStatement<CoreTables, SessionTurn & { readonly id: string }, { readonly bytes: number }> = (
  tx,
  value,
) =>
  tx
    .selectFrom('core_messages')
    .select(sql<number>`octet_length(parts) + octet_length(metadata)`.as('bytes'))
    .where(eb => eb.and({ owner: value('owner'), session_id: value('sessionId'), id: value('id') }))
    .where('turn_id', '!=', value('turnId'))

/** Returns the bytes of a turn's events, and of its answer unless an earlier turn began it. */
const storedBytesOf: FixedStatement<
  CoreTables,
  SessionTurn & { readonly answerId: string },
  { readonly bytes: number }
> = (tx, value) => {
  const answer = sql`select octet_length(parts) + octet_length(metadata) from core_messages where owner = ${value('owner')}
    and session_id = ${value('sessionId')} and id = ${value('answerId')} and turn_id = ${value('turnId')}`
  const events = sql`select sum(octet_length(body)) from core_turn_events where turn_id = ${value('turnId')}`
  return tx.selectNoFrom(sql<number>`coalesce((${answer}), 0) + coalesce((${events}), 0)`.as('bytes'))
}

type StoredAnswer = SessionTurn & Readonly<Record<'id' | 'parts' | 'metadata', string>> & { readonly now: number }

const answerUpsert: FixedStatement<CoreTables, StoredAnswer, unknown> = (tx, value) =>
  tx
    .insertInto('core_messages')
    .values({
      owner: value('owner'),
      session_id: value('sessionId'),
      id: value('id'),
      position: nextPosition(value('owner'), value('sessionId')),
      role: 'assistant',
      parts: value('parts'),
      metadata: value('metadata'),
      turn_id: value('turnId'),
      created_at: value('now'),
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'session_id', 'id'])
        .doUpdateSet({ parts: value('parts'), metadata: value('metadata') }),
    )

type StoredEvents = NonNullable<ProgressRecord['events']> & { readonly turnId: string; readonly now: number }

const eventsUpsert: FixedStatement<CoreTables, StoredEvents, unknown> = (tx, value, engine) =>
  tx
    .insertInto('core_turn_events')
    .values({
      turn_id: value('turnId'),
      first_id: value('firstId'),
      body: value('body'),
      created_at: sharedTime(engine, value('now')),
    })
    .onConflict(conflict => conflict.columns(['turn_id', 'first_id']).doUpdateSet({ body: value('body') }))
