import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { type CoreTables, sharedTime } from '../../database/core-tables.ts'
import { nextPosition } from '../../sessions/session-store.ts'
import type { EndRecord, ProgressRecord } from './turn.ts'

/** Bytes that a turn has stored more, and those of its answer. */
interface StoredWrites {
  readonly more: number
  readonly answer: number | undefined
}

/** Stores the answer so far and new events of a turn. */
export const storeWrites = async (
  tx: Transaction<CoreTables>,
  record: ProgressRecord | EndRecord,
): Promise<StoredWrites> => {
  const { more, answer } = await upsertAnswer(tx, record)
  return { more: more + (await upsertEvents(tx, record)), answer }
}

type SessionTurn = { readonly owner: string; readonly sessionId: string; readonly turnId: string }

const upsertAnswer = async (tx: Transaction<CoreTables>, record: ProgressRecord | EndRecord): Promise<StoredWrites> => {
  if (!record.answer || record.answer.parts.length === 0) return { more: 0, answer: record.storedBytes }
  const { owner, sessionId, turnId, answer, now } = record
  const [parts, metadata] = [JSON.stringify(answer.parts), JSON.stringify(answer.metadata)]
  const before =
    record.storedBytes ?? (await runFixed(tx, answerBytes, { owner, sessionId, id: answer.id }))[0]?.bytes ?? 0
  await runFixed(tx, answerUpsert, { owner, sessionId, id: answer.id, parts, metadata, turnId, now })
  const after = Buffer.byteLength(parts) + Buffer.byteLength(metadata)
  return { more: after - before, answer: after }
}

const answerBytes: FixedStatement<
  CoreTables,
  Pick<StoredAnswer, 'owner' | 'sessionId' | 'id'>,
  { readonly bytes: number }
> = (tx, value) =>
  tx
    .selectFrom('core_messages')
    .select(sql<number>`octet_length(parts) + octet_length(metadata)`.as('bytes'))
    .where('owner', '=', value('owner'))
    .where('session_id', '=', value('sessionId'))
    .where('id', '=', value('id'))

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

/** Writes a batch of events; a batch that was stored before without confirmation is replaced. */
const upsertEvents = async (tx: Transaction<CoreTables>, record: ProgressRecord | EndRecord): Promise<number> => {
  const { events, turnId, now, storedBytes } = record
  if (!events) return 0
  const [before] = storedBytes === undefined ? await runFixed(tx, eventsBytes, { turnId, firstId: events.firstId }) : []
  await runFixed(tx, eventsUpsert, { ...events, turnId, now })
  return Buffer.byteLength(events.body) - (before?.bytes ?? 0)
}

const eventsBytes: FixedStatement<
  CoreTables,
  { readonly turnId: string; readonly firstId: number },
  { readonly bytes: number }
> = (tx, value) =>
  tx
    .selectFrom('core_turn_events')
    .select(sql<number>`octet_length(body)`.as('bytes'))
    .where('turn_id', '=', value('turnId'))
    .where('first_id', '=', value('firstId'))

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
