import { type Processes, type Storage, sql } from '@sibyl/storage'
import { type CoreTables, sharedTime } from '../sessions/core-tables.ts'
import { type InterruptParts, interruptTurn } from './interrupt-turn.ts'
import { type TurnRow, turnRowOf } from './turn.ts'
import type { AfterHooks } from './turn-hooks.ts'

/** What recovery rests on. */
export interface RecoveryParts extends InterruptParts {
  readonly storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write' | 'processes'>
  readonly afterHooks: AfterHooks
  /** The model of now, for turns of before its name was kept. */
  readonly modelName: string
  /** Whether a turn is this process's own to end. */
  readonly runsHere: (turnId: string) => boolean
}

/** How many ended turns are read at once whose hooks are owed, and of how many the hooks are called at the same time. */
const owedAtOnce = 500
const callsAtOnce = 8

/** Ends what dead processes left, and calls the `after` hooks that turns owe. */
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
    const { storage, turns } = this.#parts
    const { processes } = storage
    if (processes.steadyForMs < vanishedAfterMs) {
      this.#callOwedHooks(() => 'alive')
      return 0
    }
    const others = await turns.owingHooks(processes.ownId, 'others', owedAtOnce)
    const ids = [...(await this.#left(vanishedAfterMs)), ...others].map(({ processId }) => processId)
    return this.#recover(await judgeOf(processes, ids), vanishedAfterMs)
  }

  /** @param silentForMs Turns that spoke within this time are let be. */
  async #recover(judge: Judge, silentForMs: number | undefined): Promise<number> {
    const { turns, storage, runsHere } = this.#parts
    let interrupted = 0
    for (const turn of await this.#left(silentForMs)) {
      const isOwn = turn.processId === storage.processes.ownId
      if (isOwn ? runsHere(turn.id) : judge(turn) === 'alive') continue
      if (!turn.admitted || (isOwn && !turn.wasFollowed)) {
        await turns.takeBack({ ...turn, turnId: turn.id })
      } else if (await interruptTurn(this.#parts, turn, silentForMs)) interrupted += 1
    }
    this.#callOwedHooks(judge)
    return interrupted
  }

  #callOwedHooks(judge: Judge): void {
    const { log } = this.#parts
    if (this.#closing) return
    this.#calling ??= this.#callOwed(judge)
      .catch(error => log.warn('hooks of earlier turns could not be called', { error }))
      .finally(() => {
        this.#calling = undefined
      })
  }

  async #callOwed(judge: Judge): Promise<void> {
    const { turns, storage } = this.#parts
    const { ownId } = storage.processes
    const own = await turns.owingHooks(ownId, 'own', owedAtOnce)
    const left = (await turns.owingHooks(ownId, 'others', owedAtOnce)).filter(turn => {
      const verdict = judge(turn)
      return verdict === 'vanished' || (verdict === 'hung' && turn.status === 'interrupted')
    })
    const owed = [...own, ...left].values()
    const callEach = async () => {
      for (const turn of owed) {
        if (this.#closing) return
        await this.#callHooks(turn)
      }
    }
    await Promise.all(Array.from({ length: callsAtOnce }, callEach))
  }

  /** Calls the hooks that a turn owes, unless this process runs it still, or another one took them over. */
  async #callHooks(turn: TurnRow): Promise<void> {
    const { afterHooks, turns, storage, runsHere, modelName } = this.#parts
    const { id, actor, sessionId, text, channel, startedAt, status, usage, tools } = turn
    if (runsHere(id) || afterHooks.isCalling(id)) return
    if (!(await turns.takeOverHooks(id, turn.processId, storage.processes.ownId))) return
    const outcome = status === 'running' ? 'interrupted' : status
    await afterHooks.call({
      turn: { id, actor, sessionId, text, channel, startedAt },
      end: { outcome, usage, model: turn.model ?? modelName, tools, complete: outcome !== 'interrupted' },
      done: turn.hooksDone,
      tries: turn.hooksTries,
    })
  }

  /** Turns that run, and gave no sign of life for a while. */
  async #left(silentForMs: number | undefined): Promise<TurnRow[]> {
    const { storage, now } = this.#parts
    const rows = await storage.read
      .selectFrom('core_turns')
      .selectAll()
      .select(sharedTime(storage.engine, now()).as('read_at'))
      .where('hooks_called', '=', sql.lit(0))
      .where('status', '=', 'running')
      .execute()
    return rows.map(turnRowOf).filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }
}

type Judge = Awaited<ReturnType<typeof judgeOf>>

/** After this long without a sign of life, a process without a line to the database counts as dead, in milliseconds. */
export const vanishedAfterMs = 3_000

/** After this long without a sign of life, a process counts as dead although it holds its line, in milliseconds. */
export const hungAfterMs = 15_000

/** What is judged: who, and for how long it gave no sign of life. */
export interface Silence {
  readonly processId: string
  readonly silentMs: number
}

/**
 * Makes the judge of silent processes. It goes by lines and by the database's clock, never by the clocks of processes,
 * and finds nobody dead while this process was out of touch itself: then the others were too, and are about to speak.
 * A process that it was not asked about is alive: it may have taken over a turn since.
 */
export const judgeOf = async (
  processes: Pick<Processes, 'steadyForMs' | 'connected'>,
  ids: readonly string[],
): Promise<(silence: Silence) => 'alive' | 'vanished' | 'hung'> => {
  if (processes.steadyForMs < vanishedAfterMs) return () => 'alive'
  const asked = new Set(ids)
  const connected = await processes.connected([...asked])
  return ({ processId, silentMs }) => {
    if (!asked.has(processId)) return 'alive'
    if (!connected.has(processId)) return silentMs > vanishedAfterMs ? 'vanished' : 'alive'
    return silentMs > hungAfterMs && processes.steadyForMs > hungAfterMs ? 'hung' : 'alive'
  }
}
