import type { Processes } from '@sibyl/storage'
import { interruptTurn } from './interrupt-turn.ts'
import type { StoreDependencies } from './store-dependencies.ts'
import { noModel, type TurnRow, turnRecordOf } from './turn.ts'

/** The turns with owed hooks that are read at once, and those whose hooks are called at the same time. */
const owedAtOnce = 500
const callsAtOnce = 8

/** The turns of this process. */
interface OwnTurns {
  /** Returns whether a turn is this process's to end, or may be one that it handed over. */
  has(turnId: string): boolean
  /** Continues a turn whose process is gone; false if no process can. */
  resume(turn: TurnRow, silentForMs: number | undefined): Promise<boolean>
}

/** Goes on with the turns of crashed processes or ends them, and calls the `after` hooks that turns owe. */
export class TurnRecovery {
  readonly #dependencies: StoreDependencies
  readonly #local: OwnTurns
  #recovering: Promise<number> | undefined
  #calling: Promise<void> | undefined
  #closing = false

  constructor(dependencies: StoreDependencies, local: OwnTurns) {
    this.#dependencies = dependencies
    this.#local = local
  }

  /**
   * Before the first request of the only process of a database: continues all that was left, or ends it.
   *
   * @returns how many turns are now marked `interrupted`
   */
  async recoverAll(): Promise<number> {
    return this.#recover(() => 'vanished', undefined)
  }

  /** Goes on with the turns of crashed processes, or ends them; calls during a run share it. */
  async recoverCrashed(): Promise<number> {
    if (this.#closing) return 0
    this.#recovering ??= this.#recoverCrashed().finally(() => {
      this.#recovering = undefined
    })
    return this.#recovering
  }

  /** Recovers nothing any more, calls no more hooks, and waits for what is under way. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.allSettled([this.#recovering, this.#calling])
  }

  async #recoverCrashed(): Promise<number> {
    const { processes, turns } = this.#dependencies
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
    const { turns, processes } = this.#dependencies
    let interrupted = 0
    for (const turn of await this.#left(silentForMs)) {
      const isOwn = turn.processId === processes.ownId
      if (isOwn ? this.#local.has(turn.id) : judge(turn) === 'alive') continue
      if (!turn.admitted || (isOwn && !turn.wasFollowed)) await turns.takeBack(turn)
      else if (isOwn ? await this.#interrupt(turn, silentForMs) : !(await this.#resume(turn, silentForMs)))
        interrupted += 1
    }
    this.#callOwedHooks(judge)
    return interrupted
  }

  /** Continues a turn, or ends it; false if it was ended. */
  async #resume(turn: TurnRow, silentForMs: number | undefined): Promise<boolean> {
    return (await this.#local.resume(turn, silentForMs)) || !(await this.#interrupt(turn, silentForMs))
  }

  #interrupt(turn: TurnRow, silentForMs: number | undefined): Promise<boolean> {
    return interruptTurn(this.#dependencies, turn, silentForMs)
  }

  #callOwedHooks(judge: Judge): void {
    const { log } = this.#dependencies
    if (this.#closing) return
    this.#calling ??= this.#callOwed(judge)
      .catch(error => log.warn('the hooks of earlier turns could not be called', { error }))
      .finally(() => {
        this.#calling = undefined
      })
  }

  async #callOwed(judge: Judge): Promise<void> {
    const { turns, processes } = this.#dependencies
    const { ownId } = processes
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
    const { afterHooks, turns, processes, modelName } = this.#dependencies
    const { id, status, usage, tools } = turn
    if (this.#local.has(id) || afterHooks.isCalling(id)) return
    if (!(await turns.takeOverHooks(id, turn.processId, processes.ownId))) return
    const outcome = status === 'running' ? 'interrupted' : status
    // Rows of before the model's name was stored take that of now, as do calls of a client whose agent used tokens.
    const isUnnamed = turn.model === noModel && usage.inputTokens + usage.outputTokens > 0
    const model = isUnnamed ? modelName : (turn.model ?? modelName)
    await afterHooks.call({
      turn: turnRecordOf(turn),
      end: { outcome, usage, model, tools, complete: outcome !== 'interrupted' },
      done: turn.hooksDone,
      tries: turn.hooksTries,
    })
  }

  /** Turns that run, and gave no sign of life for a while. */
  async #left(silentForMs: number | undefined): Promise<TurnRow[]> {
    const turns = await this.#dependencies.turns.running()
    return turns.filter(({ silentMs }) => silentForMs === undefined || silentMs > silentForMs)
  }
}

type Judge = Awaited<ReturnType<typeof judgeOf>>

/** The time without a sign of life after which a process without a database connection counts as crashed, in milliseconds. */
export const vanishedAfterMs = 3_000

/** The time without a sign of life after which a process counts as hung although it is connected, in milliseconds. */
export const hungAfterMs = 15_000

/** A process, and the time since its last sign of life. */
export interface Silence {
  readonly processId: string
  readonly silentMs: number
}

/**
 * Creates the judge of silent processes. It uses database connections and the clock of the database, never the clocks
 * of processes, and judges no process as crashed while this one was disconnected: then the others were too, and are
 * about to report. A process that it was not asked about is alive: it may have taken over a turn since.
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
