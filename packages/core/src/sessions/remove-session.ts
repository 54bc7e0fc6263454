import { deleteInParts, type Storage, sql, type WriteOptions } from '@sibyl/storage'
import type { RawBuilder, Transaction } from 'kysely'
import { type CoreTables, rowByRow, type TurnStatus } from '../database/core-tables.ts'
import { countStored } from '../database/count-stored.ts'
import { idParts } from '../database/id-parts.ts'

/** Ended turns that are removed in one write. */
const turnsAtOnce = 250
/** Up to this number of turns and messages, a session is removed in one write. */
const fewTurns = 50
const fewMessages = 200

type SessionStorage = Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>

/**
 * Removes a session and its data; false if it does not exist. A long one is removed in parts, its own row last.
 *
 * @param log As of a write; others than `emptied` for a session before others that are removed as well.
 * @param due Condition on its row in `core_sessions`, which each write checks: a session that is used meanwhile stays.
 */
export const removeSession = async (
  storage: SessionStorage,
  owner: string,
  id: string,
  log: WriteOptions<unknown>['log'] = 'emptied',
  due = sql<boolean>`1 = 1`,
): Promise<boolean> => {
  const isDue = sql<boolean>`exists (
    select 1 from core_sessions where core_sessions.owner = ${owner} and core_sessions.id = ${id} and ${due})`
  await removeEndedTurns(storage, owner, id, isDue)
  await deleteInParts(storage, {
    table: 'core_messages',
    key: ['owner', 'session_id', 'id'],
    where: eb => eb.and([eb('owner', '=', owner), eb('session_id', '=', id), isDue]),
    scrub: true,
    leave: fewMessages,
  })
  await deleteInParts(storage, {
    table: 'core_turn_timings',
    key: ['owner', 'session_id', 'started_at', 'turn_id'],
    where: eb => eb.and([eb('owner', '=', owner), eb('session_id', '=', id), isDue]),
    scrub: true,
    leave: fewTurns,
  })
  return storage.write(tx => removeRest(tx, owner, id, due), { ...rowByRow, scrub: true, log })
}

/** Removes turns without pending hooks, except the last ones. */
const removeEndedTurns = async (
  storage: SessionStorage,
  owner: string,
  id: string,
  isDue: RawBuilder<boolean>,
): Promise<void> => {
  for (;;) {
    const turns = await storage.read
      .selectFrom('core_turns')
      .select('id')
      .where(eb => eb.and({ owner, session_id: id }))
      .where('ended_at', 'is not', null)
      .where(eb => eb.and({ hooks_called: 1, removed: 0 }))
      .where(isDue)
      .limit(turnsAtOnce)
      .execute()
    if (turns.length <= fewTurns) return
    const ids = turns.map(turn => turn.id)
    await deleteInParts(storage, {
      table: 'core_turn_events',
      key: ['turn_id', 'first_id'],
      where: eb => eb.and([eb('turn_id', 'in', ids), isDue]),
      scrub: true,
    })
    await deleteInParts(storage, {
      table: 'core_tool_calls',
      key: ['idempotency_key'],
      where: eb => eb.and([eb('turn_id', 'in', ids), isDue]),
      scrub: true,
    })
    await storage.write(tx => tx.deleteFrom('core_turns').where('id', 'in', ids).where(isDue).execute(), {
      ...rowByRow,
      scrub: true,
      log: 'copied',
    })
  }
}

/**
 * Removes the session first, so that a concurrent turn waits and creates a new one; then its turns, so that a running
 * one writes nothing more. A turn with pending `after` hooks stays for them, without its text.
 */
const removeRest = async (
  tx: Transaction<CoreTables>,
  owner: string,
  id: string,
  due: RawBuilder<boolean>,
): Promise<boolean> => {
  const removed = await tx
    .deleteFrom('core_sessions')
    .where(eb => eb.and({ owner, id }))
    .where(due)
    .returning('bytes')
    .executeTakeFirst()
  if (!removed) return false
  const owing = await tx
    .updateTable('core_turns')
    .set({
      removed: 1,
      text: '',
      message_key: null,
      status: sql<TurnStatus>`case when status = 'running' then 'stopped' else status end`,
      ended_at: sql<number>`coalesce(ended_at, heartbeat_at)`,
    })
    .where(eb => eb.and({ owner, session_id: id, hooks_called: 0, admitted: 1 }))
    .returning('id')
    .execute()
  const removedTurns = await tx
    .deleteFrom('core_turns')
    .where(eb => eb.and({ owner, session_id: id, removed: 0 }))
    .returning('id')
    .execute()
  const turnIds = [...owing, ...removedTurns].map(turn => turn.id)
  for (const some of idParts(turnIds)) {
    await tx.deleteFrom('core_turn_events').where('turn_id', 'in', some).execute()
    await tx.deleteFrom('core_tool_calls').where('turn_id', 'in', some).execute()
  }
  for (const table of ['core_approvals', 'core_messages', 'core_turn_timings'] as const) {
    await tx.deleteFrom(table).where('owner', '=', owner).where('session_id', '=', id).execute()
  }
  await countStored(tx, [{ did: owner, bytes: -Number(removed.bytes) }])
  return true
}
