import { pause } from '@sibyl/plugin'
import type { ActionScreen } from '../flow/flow.ts'
import type { FlowStep } from '../flow/flow-machine.ts'
import type { MoveExecutor, MoveExecutorDependencies } from './move-executor.ts'
import type { RunLeases } from './run-leases.ts'
import type { KnownSession, Move, MoveResult, PendingRun } from './session-record.ts'

/** Interval of reads of a session whose action another process runs, in milliseconds. */
const pollMs = 100

/** Dependencies of the late actions. */
export interface LateActionsDependencies extends Pick<MoveExecutorDependencies, 'store' | 'machine' | 'runs'> {
  readonly executor: MoveExecutor
  readonly leases: RunLeases
  /** Whether other processes may run actions of these sessions. */
  readonly shared: boolean
}

/** Serves requests that arrive while an action of their session runs. */
export class LateActions {
  readonly #dependencies: LateActionsDependencies

  constructor(dependencies: LateActionsDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the reply to a repeated request; waits where another process is about to reply. */
  async repeat(known: KnownSession): Promise<MoveResult> {
    const { run, reply } = known.record
    if (run === undefined || !this.#runsElsewhere(known)) return reply
    return (await this.#moved(known, run.waitsMs - known.idleMs)) ? undefined : reply
  }

  /** Replies with something other than the outcome: that the action is late, or the closing text. */
  async stay(move: Move, known: KnownSession, step: FlowStep & { readonly kind: 'show' }): Promise<MoveResult> {
    const { run, outcome } = known.record
    const ended = step.reply.kind === 'end'
    if (ended) this.#dependencies.runs.get(known.key)?.leave()
    const record = { ...move.texts, state: step.state, reply: step.reply, run, outcome: ended ? undefined : outcome }
    const session = { ...move.session, version: known.version + 1, status: ended ? 'ended' : 'active', record } as const
    return (await this.#dependencies.store.save(session, { running: 'as-before' })) ? step.reply : undefined
  }

  /** Waits for the outcome of an action, wherever it runs; takes it over from a process that crashed. */
  async awaitOutcome(move: Move, known: KnownSession, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { leases, machine, executor, runs } = this.#dependencies
    if (runs.get(known.key)?.request.run.id === run.id) return await executor.awaitOutcome(move, run, action)
    if (this.#runsElsewhere(known)) {
      if (await this.#moved(known, run.waitsMs)) return undefined
      const { state } = known.record
      return await this.stay(move, known, { kind: 'show', state, reply: machine.late(state, move.facts) })
    }
    if (!(await leases.claim(known.key, !this.#dependencies.shared))) return undefined
    if (action.effect === 'write') return await executor.end(move, run, { kind: 'unknown' })
    return await executor.awaitOutcome(move, run, action)
  }

  #runsElsewhere({ key, runs }: KnownSession): boolean {
    return this.#dependencies.shared && runs && this.#dependencies.runs.get(key) === undefined
  }

  /** Waits until another process has moved a session. */
  async #moved({ key, version }: KnownSession, limitMs: number): Promise<boolean> {
    const until = performance.now() + limitMs
    while (performance.now() < until) {
      await pause(pollMs)
      const now = await this.#dependencies.store.find(key)
      if (now?.version !== version) return true
    }
    return false
  }
}
