import { type Storage, sql } from '@sibyl/storage'
import type { TurnHookRunner } from '../agent/turn-hooks.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import { sharedTime } from '../sessions/shared-time.ts'
import { type TurnRow, turnRowOf } from '../sessions/turn-store.ts'
import { judgeOf, vanishedAfterMs } from './dead-processes.ts'
import { type InterruptParts, interruptTurn } from './interrupt-turn.ts'

/** What recovery rests on. */
export interface RecoveryParts extends InterruptParts {
  readonly storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write' | 'processes'>
  readonly hooks: TurnHookRunner
  /** The model of now, for turns of before its name was kept. */
  readonly modelName: string
  /** Whether a turn is this process's own to end. */
  readonly runsHere: (turnId: string) => boolean
}

/** Ends what dead processes left, and calls the `after` hooks that they owe. */
export class TurnRecovery {
  readonly #parts: RecoveryParts
  #recovering: Promise<number> | undefined
  #calling: Promise<void> | undefined
  #closing = false

  constructor(parts: RecoveryParts) {
    this.#parts = parts
  }

  /**
   * Before the first request of the only process of a database: ends all that was left.
   *
   * @returns how many turns are now marked `interrupted`
   */
  async recoverAll(): Promise<number> {
    return this.#recover(() => 'vanished', undefined)
  }

  /** Ends what dead processes left, if any; calls that come while one runs share it. */
  recoverDead(): Promise<number> {
    this.#recovering ??= this.#recoverDead().finally(() => {
      this.#recovering = undefined
    })
    return this.#recovering
  }

  /** Calls no more hooks, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#calling
  }

  async #recoverDead(): Promise<number> {
    const { processes } = this.#parts.storage
    if (processes.steadyForMs < vanishedAfterMs) return 0
    const ids = [...(await this.#left(vanishedAfterMs)), ...(await this.#owed(vanishedAfterMs))]
    if (ids.length === 0) return 0
    const judge = await judgeOf(
      processes,
      ids.map(({ processId }) => processId),
    )
    return this.#recover(judge, vanishedAfterMs)
  }

  /** @param silentForMs Turns that spoke within this time are let be. */
  async #recover(judge: Judge, silentForMs: number | undefined): Promise<number> {
    const { turns, storage, runsHere } = this.#parts
    let interrupted = 0
    for (const turn of await this.#left(silentForMs)) {
      const isOwn = turn.processId === storage.processes.ownId
      if (isOwn ? runsHere(turn.id) : judge(turn) === 'alive') continue
      if (!turn.admitted || (isOwn && !turn.wasFollowed)) {
        await turns.withdraw({ turnId: turn.id, actor: turn.actor, sessionId: turn.sessionId })
      } else if (await interruptTurn(this.#parts, turn, silentForMs)) interrupted += 1
    }
    this.#callOwedHooks(judge, silentForMs)
    return interrupted
  }

  #callOwedHooks(judge: Judge, endedForMs: number | undefined): void {
    const { hooks, log } = this.#parts
    if (!hooks.hasAfter || this.#closing) return
    this.#calling ??= this.#callOwed(judge, endedForMs)
      .catch(error => log.warn('hooks of earlier turns could not be called', { error }))
      .finally(() => {
        this.#calling = undefined
      })
  }

  async #callOwed(judge: Judge, endedForMs: number | undefined): Promise<void> {
    const { hooks, turns, storage, modelName } = this.#parts
    const { ownId } = storage.processes
    for (const turn of await this.#owed(endedForMs)) {
      if (this.#closing) return
      const verdict = judge(turn)
      const isOwed = verdict === 'vanished' || (verdict === 'hung' && turn.status === 'interrupted')
      if (turn.processId === ownId || !isOwed) continue
      if (!(await turns.takeOverHooks(turn.id, turn.processId, ownId))) continue
      const { id, actor, sessionId, text, channel, startedAt, status, usage, tools } = turn
      const model = turn.model ?? modelName
      const outcome = status === 'running' ? 'interrupted' : status
      await hooks.after(
        { id, actor, sessionId, text, channel, startedAt },
        { outcome, usage, model, tools, complete: outcome !== 'interrupted' },
      )
      await turns.markHooksCalled(id)
    }
  }

  /** Turns that run, and gave no sign of life for a while. */
  async #left(silentForMs: number | undefined): Promise<TurnRow[]> {
    const rows = await this.#open().where('status', '=', 'running').execute()
    return rows.map(turnRowOf).filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }

  /** Turns that have ended, whose hooks were not called. */
  async #owed(silentForMs: number | undefined): Promise<TurnRow[]> {
    if (!this.#parts.hooks.hasAfter) return []
    const rows = await this.#open().where('status', '!=', 'running').execute()
    return rows.map(turnRowOf).filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }

  /** The turns with which anything is to be done still. */
  #open() {
    const { storage, now } = this.#parts
    return storage.read
      .selectFrom('core_turns')
      .selectAll()
      .select(sharedTime(storage.engine, now()).as('read_at'))
      .where('hooks_called', '=', sql.lit(0))
  }
}

type Judge = Awaited<ReturnType<typeof judgeOf>>
