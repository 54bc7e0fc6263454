import type { Usage } from '@sibyl/protocol'
import { type Storage, TickBatch } from '@sibyl/storage'
import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import { admitTurn, type BeginResult, beginTurn } from './begin-turn.ts'
import type { CoreTables, TurnStatus } from './core-tables.ts'
import { endTurn, progressTurn } from './end-turn.ts'
import type { AdmitResult } from './first-message.ts'
import { rowByRow } from './row-by-row.ts'
import { sharedTime } from './shared-time.ts'
import { readJson } from './turn-message.ts'
import type { ToolCounts, TurnEndRecord, TurnProgress, TurnSigns } from './turn-records.ts'
import type { TurnStart } from './turn-start.ts'
import { takeBackTurn, withdrawTurn } from './withdraw-turn.ts'

/** Keeps turns: begin, progress, end. Each call is one transaction. */
export interface TurnStore {
  /** @param committed Called with the result a moment before it is on disk. */
  begin(start: TurnStart, committed?: (result: BeginResult) => void): Promise<BeginResult>
  /**
   * Writes what an admitted turn writes first, where `begin` held the session for it only.
   *
   * @param committed Called with the result a moment before it is on disk.
   */
  admit(start: TurnStart, committed?: (result: AdmitResult) => void): Promise<AdmitResult>
  /** Takes back a turn that was never launched. */
  withdraw(start: Pick<TurnStart, 'turnId' | 'actor' | 'sessionId'>): Promise<void>
  /** Withdraws a turn unless it has ended meanwhile. */
  takeBack(turn: Pick<TurnStart, 'turnId' | 'actor' | 'sessionId'>): Promise<void>
  progress(record: TurnProgress): Promise<TurnSigns>
  /** Stores the end, once; false when the turn is no longer there to end. */
  end(record: TurnEndRecord): Promise<boolean>
  find(turnId: string): Promise<TurnRow | undefined>
  /** The turn that this message began before, if any. */
  findByMessage(owner: string, sessionId: string, messageKey: string): Promise<TurnRow | undefined>
  /** The turn that runs in a session, if any. */
  findRunning(owner: string, sessionId: string): Promise<TurnRow | undefined>
  requestStop(turnId: string): Promise<void>
  /** Says that somebody reads the turn in another process than its own. */
  noteFollower(turnId: string): Promise<void>
  /** Takes over the `after` hooks that a dead process owes; false when another process did. */
  takeOverHooks(turnId: string, fromProcess: string, toProcess: string): Promise<boolean>
  markHooksCalled(turnId: string): Promise<void>
  /** Events of a turn after a number, as `[number, JSON]`. */
  eventsAfter(turnId: string, after: number): Promise<{ readonly id: number; readonly json: string }[]>
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
  /** The model's name; undefined in rows of before it was kept. */
  readonly model: string | undefined
  /** How often each tool ran, as far as it was stored. */
  readonly tools: ToolCounts
  readonly processId: string
  /** False while a plugin still may refuse it. */
  readonly admitted: boolean
  /** Its last sign of life, by the clock of the database. */
  readonly heartbeatAt: number
  /** When its process last had a reader for it, by the clock of the database. */
  readonly readerSeenAt: number
  /** How long it has given no sign of life, in milliseconds. */
  readonly silentMs: number
  /** How long nobody has read it in another process, in milliseconds. */
  readonly unfollowedMs: number
  /** Whether anybody ever read it in another process. */
  readonly wasFollowed: boolean
  readonly startedAt: number
  /** How long ago it ended, in milliseconds; undefined while it runs. */
  readonly endedAgoMs: number | undefined
}

/** Turns a row of `core_turns`, with the time at which it was read, into a record. */
export const turnRowOf = (row: CoreTables['core_turns'] & { readonly read_at: number }): TurnRow => ({
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
  model: row.model ?? undefined,
  tools: readJson<ToolCounts>(row.tools, {}),
  processId: row.process_id,
  admitted: row.admitted === 1,
  heartbeatAt: Number(row.heartbeat_at),
  readerSeenAt: Number(row.reader_seen_at),
  silentMs: Number(row.read_at) - Number(row.heartbeat_at),
  unfollowedMs: Number(row.read_at) - Number(row.followed_at),
  wasFollowed: Number(row.followed_at) > 0,
  startedAt: Number(row.started_at),
  endedAgoMs: row.ended_at === null ? undefined : Number(row.read_at) - Number(row.ended_at),
})

/**
 * Makes the store on the app's storage.
 *
 * @param now Milliseconds since 1970, where only one process uses the database.
 */
export const createTurnStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  now: () => number,
): TurnStore => {
  const at = (time = now()) => sharedTime(storage.engine, time)
  const change = (turnId: string, values: Partial<CoreTables['core_turns']>) =>
    storage.write(async tx => {
      await tx.updateTable('core_turns').set(values).where('id', '=', turnId).execute()
    }, rowByRow)
  const hooksCalled = new TickBatch<string, undefined>(async turnIds => {
    await storage.write(
      tx => tx.updateTable('core_turns').set({ hooks_called: 1 }).where('id', 'in', turnIds).execute(),
      rowByRow,
    )
    return new Map<string, undefined>()
  })
  return {
    begin: (start, committed) =>
      storage.write(tx => beginTurn(tx, start, at(start.now)), { ...rowByRow, ...(committed ? { committed } : {}) }),
    admit: (start, committed) =>
      storage.write(tx => admitTurn(tx, start), { ...rowByRow, ...(committed ? { committed } : {}) }),
    withdraw: start => storage.write(tx => withdrawTurn(tx, start), rowByRow),
    takeBack: turn => storage.write(tx => takeBackTurn(tx, turn), rowByRow),
    progress: record => storage.write(tx => progressTurn(tx, record, at(record.now)), rowByRow),
    end: record => storage.write(tx => endTurn(tx, record, at(record.now)), rowByRow),
    requestStop: turnId => change(turnId, { stop_requested: 1 }),
    async noteFollower(turnId) {
      await storage.write(
        tx => tx.updateTable('core_turns').set({ followed_at: at() }).where('id', '=', turnId).execute(),
        rowByRow,
      )
    },
    async takeOverHooks(turnId, fromProcess, toProcess) {
      const taken = await storage.write(tx =>
        tx
          .updateTable('core_turns')
          .set({ process_id: toProcess })
          .where('id', '=', turnId)
          .where('process_id', '=', fromProcess)
          .where('hooks_called', '=', 0)
          .returning('id')
          .executeTakeFirst(),
      )
      return taken !== undefined
    },
    async markHooksCalled(turnId) {
      await hooksCalled.ask(turnId)
    },
    async find(turnId) {
      const row = await storage.read
        .selectFrom('core_turns')
        .selectAll()
        .select(at().as('read_at'))
        .where('id', '=', turnId)
        .executeTakeFirst()
      return row && turnRowOf(row)
    },
    async findByMessage(owner, sessionId, messageKey) {
      const row = await storage.read
        .selectFrom('core_turns')
        .selectAll()
        .select(at().as('read_at'))
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
        .select(at().as('read_at'))
        .where('core_sessions.owner', '=', owner)
        .where('core_sessions.id', '=', sessionId)
        .executeTakeFirst()
      return row && turnRowOf(row)
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
