import { type Storage, sql, TickBatch } from '@sibyl/storage'
import type { UpdateObject } from 'kysely'
import { type CoreTables, rowByRow, sharedTime } from '../../database/core-tables.ts'
import { endTurn, progressTurn } from './store-writes.ts'
import { type TurnToTakeOver, takeOverTurn } from './take-over-turn.ts'
import {
  type EndRecord,
  type ProgressRecord,
  type ProgressReply,
  type TurnKey,
  type TurnRow,
  turnRowOf,
} from './turn.ts'
import { deleteTurn, takeBackTurn, withdrawCounted } from './withdraw-turn.ts'

/** Stores the progress and the end of turns. Each call is one transaction. */
export interface TurnStore {
  /** Takes back a turn that was never launched. */
  withdraw(turn: TurnKey): Promise<void>
  /** Withdraws a turn that no client has seen, unless it was admitted, followed or ended since it was read. */
  takeBack(turn: TurnKey & Pick<TurnRow, 'admitted'>): Promise<void>
  progress(record: ProgressRecord): Promise<ProgressReply>
  /** Takes over a turn whose process is gone, with what stays of it; false when it is not there any more. */
  takeOver(turn: TurnToTakeOver): Promise<boolean>
  /** Lets the other processes take over a turn of this one at once. */
  handOver(turnId: string): Promise<void>
  /** Stores the end, once; false when the turn is no longer there to end. */
  end(record: EndRecord): Promise<boolean>
  find(turnId: string): Promise<TurnRow | undefined>
  /** The turn that this message began before, if any. */
  findByMessage(owner: string, sessionId: string, messageKey: string): Promise<TurnRow | undefined>
  /** The turn that runs in a session, if any. */
  findRunning(owner: string, sessionId: string): Promise<TurnRow | undefined>
  /** The id of the turn of a session that began last. */
  findLatest(owner: string, sessionId: string): Promise<string | undefined>
  /** All turns that run, in whichever process. */
  running(): Promise<TurnRow[]>
  requestStop(turnId: string): Promise<void>
  /** Records that a client reads the turn in another process than its own; false when the turn is gone. */
  noteFollower(turnId: string): Promise<boolean>
  /** Takes over the `after` hooks that a crashed process owes; false when another process did. */
  takeOverHooks(turnId: string, fromProcess: string, toProcess: string): Promise<boolean>
  /** Records that every `after` hook of a turn has succeeded; what is left of a deleted session's turn goes with that. */
  markHooksCalled(turnId: string): Promise<void>
  /** Records which `after` hooks of a turn succeeded, and when the others are called again. */
  postponeHooks(
    turnId: string,
    owed: { readonly done: readonly string[]; readonly tries: number; readonly afterMs: number },
  ): Promise<void>
  /**
   * Ended turns whose `after` hooks are to be called now, those that are due longest first.
   *
   * @param whose Those of the process, or those of all others.
   */
  owingHooks(processId: string, whose: 'own' | 'others', limit: number): Promise<TurnRow[]>
  /** Events of a turn after a number, as `[number, JSON]`. */
  eventsAfter(turnId: string, after: number): Promise<{ readonly id: number; readonly json: string }[]>
}

/**
 * Makes the store on the app's storage.
 *
 * @param now Milliseconds since 1970, where only one process uses the database.
 */
export const createTurnStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'processes' | 'read' | 'write'>,
  now: () => number,
): TurnStore => {
  const { ownId } = storage.processes
  const at = (time = now()) => sharedTime(storage.engine, time)
  const readTurns = () => storage.read.selectFrom('core_turns').selectAll().select(at().as('read_at'))
  const change = (turnId: string, values: UpdateObject<CoreTables, 'core_turns'>) =>
    storage.write(async tx => {
      const changed = tx.updateTable('core_turns').set(values).where('id', '=', turnId).returning('id')
      return (await changed.executeTakeFirst()) !== undefined
    }, rowByRow)
  const hooksCalled = new TickBatch<string, undefined>(async turnIds => {
    await storage.write(async tx => {
      const marked = await tx
        .updateTable('core_turns')
        .set({ hooks_called: 1 })
        .where('id', 'in', turnIds)
        .returning(['id', 'removed'])
        .execute()
      for (const { id, removed } of marked) if (removed === 1) await deleteTurn(tx, id)
    }, rowByRow)
    return new Map<string, undefined>()
  })
  return {
    withdraw: turn => storage.write(tx => withdrawCounted(tx, turn), rowByRow),
    takeBack: turn => storage.write(tx => takeBackTurn(tx, turn), rowByRow),
    progress: record => storage.write(tx => progressTurn(tx, record, ownId), rowByRow),
    takeOver: turn => storage.write(tx => takeOverTurn(tx, turn, ownId, at()), rowByRow),
    async handOver(turnId) {
      await change(turnId, { heartbeat_at: 0 })
    },
    end: record => storage.write(tx => endTurn(tx, record, ownId), rowByRow),
    async requestStop(turnId) {
      await change(turnId, { stop_requested: 1 })
    },
    noteFollower: turnId => change(turnId, { followed_at: at() }),
    async takeOverHooks(turnId, fromProcess, toProcess) {
      const taken = await storage.write(tx =>
        tx
          .updateTable('core_turns')
          .set({ process_id: toProcess })
          .where(eb => eb.and({ id: turnId, process_id: fromProcess, hooks_called: 0 }))
          .returning('id')
          .executeTakeFirst(),
      )
      return taken !== undefined
    },
    async markHooksCalled(turnId) {
      await hooksCalled.ask(turnId)
    },
    async postponeHooks(turnId, { done, tries, afterMs }) {
      const dueAt = sql<number>`${at()} + ${sql.lit(afterMs)}`
      await change(turnId, { hooks_done: JSON.stringify(done), hooks_tries: tries, hooks_due_at: dueAt })
    },
    async owingHooks(processId, whose, limit) {
      const rows = await readTurns()
        .where('hooks_called', '=', sql.lit(0))
        .where('status', '!=', 'running')
        .where('hooks_due_at', '<=', at())
        .where('process_id', whose === 'own' ? '=' : '!=', processId)
        .orderBy('hooks_due_at')
        .limit(limit)
        .execute()
      return rows.map(turnRowOf)
    },
    async find(turnId) {
      const row = await readTurns().where('id', '=', turnId).where('removed', '=', 0).executeTakeFirst()
      return row && turnRowOf(row)
    },
    async findByMessage(owner, sessionId, messageKey) {
      const row = await readTurns()
        .where(eb => eb.and({ owner, session_id: sessionId, message_key: messageKey }))
        .executeTakeFirst()
      return row && turnRowOf(row)
    },
    async findLatest(owner, sessionId) {
      const row = await storage.read
        .selectFrom('core_turns')
        .select('id')
        .where('owner', '=', owner)
        .where('session_id', '=', sessionId)
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
    async findRunning(owner, sessionId) {
      const row = await storage.read
        .selectFrom('core_sessions')
        .innerJoin('core_turns', 'core_turns.id', 'core_sessions.running_turn')
        .selectAll('core_turns')
        .select(at().as('read_at'))
        .where(eb => eb.and({ 'core_sessions.owner': owner, 'core_sessions.id': sessionId }))
        .executeTakeFirst()
      return row && turnRowOf(row)
    },
    async running() {
      const rows = await readTurns().where('hooks_called', '=', sql.lit(0)).where('status', '=', 'running').execute()
      return rows.map(turnRowOf)
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
  }
}
