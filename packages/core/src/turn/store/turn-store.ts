import { type Storage, sql, TickBatch } from '@sibyl/storage'
import type { UpdateObject } from 'kysely'
import { type CoreTables, rowByRow, sharedTime } from '../../database/core-tables.ts'
import { endTurn, progressTurn } from './store-writes.ts'
import { type TurnToTakeOver, takeOverTurn } from './take-over-turn.ts'
import { type EndRecord, type ProgressRecord, type TurnKey, type TurnRow, turnRowOf } from './turn.ts'
import { deleteTurn, takeBackTurn, withdrawCounted } from './withdraw-turn.ts'

/**
 * Makes the store on the app's storage.
 *
 * @param now Milliseconds since 1970, where only one process uses the database.
 */
export const createTurnStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'processes' | 'read' | 'write'>,
  now: () => number,
) => {
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
    /** Takes back a turn that was never launched. */
    withdraw: (turn: TurnKey): Promise<void> => storage.write(tx => withdrawCounted(tx, turn), rowByRow),
    /** Withdraws a turn that no client has seen, unless it was admitted, followed or ended since it was read. */
    takeBack: (turn: TurnKey & Pick<TurnRow, 'admitted'>) => storage.write(tx => takeBackTurn(tx, turn), rowByRow),
    progress: (record: ProgressRecord) => storage.write(tx => progressTurn(tx, record, ownId), rowByRow),
    /** Takes over a turn whose process is gone, with what stays of it; false when it is not there any more. */
    takeOver: (turn: TurnToTakeOver) => storage.write(tx => takeOverTurn(tx, turn, ownId, at()), rowByRow),
    /** Lets the other processes take over a turn of this one at once. */
    async handOver(turnId: string): Promise<void> {
      await change(turnId, { heartbeat_at: 0 })
    },
    /** Stores the end, once; false when the turn is no longer there to end. */
    end: (record: EndRecord): Promise<boolean> => storage.write(tx => endTurn(tx, record, ownId), rowByRow),
    async requestStop(turnId: string): Promise<void> {
      await change(turnId, { stop_requested: 1 })
    },
    /** Records that a client reads the turn in another process than its own; false when the turn is gone. */
    noteFollower: (turnId: string): Promise<boolean> => change(turnId, { followed_at: at() }),
    /** Takes over the `after` hooks that a crashed process owes; false when another process did. */
    async takeOverHooks(turnId: string, fromProcess: string, toProcess: string): Promise<boolean> {
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
    /** Records that every `after` hook of a turn has succeeded; what is left of a deleted session's turn goes with that. */
    async markHooksCalled(turnId: string): Promise<void> {
      await hooksCalled.ask(turnId)
    },
    /** Records which `after` hooks of a turn succeeded, and when the others are called again. */
    async postponeHooks(
      turnId: string,
      { done, tries, afterMs }: { readonly done: readonly string[]; readonly tries: number; readonly afterMs: number },
    ): Promise<void> {
      const dueAt = sql<number>`${at()} + ${sql.lit(afterMs)}`
      await change(turnId, { hooks_done: JSON.stringify(done), hooks_tries: tries, hooks_due_at: dueAt })
    },
    /**
     * Ended turns whose `after` hooks are to be called now, those that are due longest first.
     *
     * @param whose Those of the process, or those of all others.
     */
    async owingHooks(processId: string, whose: 'own' | 'others', limit: number): Promise<TurnRow[]> {
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
    async find(turnId: string): Promise<TurnRow | undefined> {
      const row = await readTurns().where('id', '=', turnId).where('removed', '=', 0).executeTakeFirst()
      return row && turnRowOf(row)
    },
    /** The turn that this message began before, if any. */
    async findByMessage(owner: string, sessionId: string, messageKey: string): Promise<TurnRow | undefined> {
      const row = await readTurns()
        .where(eb => eb.and({ owner, session_id: sessionId, message_key: messageKey }))
        .executeTakeFirst()
      return row && turnRowOf(row)
    },
    /** The id of the turn of a session that began last. */
    async findLatest(owner: string, sessionId: string): Promise<string | undefined> {
      const row = await storage.read
        .selectFrom('core_turns')
        .select('id')
        .where(eb => eb.and({ owner, session_id: sessionId }))
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
    /** The turn that runs in a session, if any. */
    async findRunning(owner: string, sessionId: string): Promise<TurnRow | undefined> {
      const row = await storage.read
        .selectFrom('core_sessions')
        .innerJoin('core_turns', 'core_turns.id', 'core_sessions.running_turn')
        .selectAll('core_turns')
        .select(at().as('read_at'))
        .where(eb => eb.and({ 'core_sessions.owner': owner, 'core_sessions.id': sessionId }))
        .executeTakeFirst()
      return row && turnRowOf(row)
    },
    /** All turns that run, in whichever process. */
    async running(): Promise<TurnRow[]> {
      const rows = await readTurns().where('hooks_called', '=', sql.lit(0)).where('status', '=', 'running').execute()
      return rows.map(turnRowOf)
    },
    /** Events of a turn after a number, as `[number, JSON]`. */
    async eventsAfter(turnId: string, after: number): Promise<{ readonly id: number; readonly json: string }[]> {
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

/** Stores the progress and the end of turns. Each call is one transaction. */
export type TurnStore = ReturnType<typeof createTurnStore>
