import { setTimeout as pause } from 'node:timers/promises'
import type { ActionScreen } from '../flow/flow.ts'
import type { FlowStep } from '../flow/flow-machine.ts'
import type { ActionMover, ActionMoverParts } from './action-mover.ts'
import type { RunLeases } from './run-leases.ts'
import type { KnownSession, Move, MoveResult, PendingRun } from './session-record.ts'

/** How often an action that another process runs is looked at, in milliseconds. */
const lookAgainMs = 100

/** What looks rest on. */
export interface LateActionsParts extends Pick<ActionMoverParts, 'store' | 'machine' | 'runs'> {
  readonly actions: ActionMover
  readonly leases: RunLeases
  /** Whether other processes may run actions of these sessions. */
  readonly shared: boolean
}

/** Requests that come while an action of their session is under way. */
export class LateActions {
  readonly #parts: LateActionsParts

  constructor(parts: LateActionsParts) {
    this.#parts = parts
  }

  /** The answer of a request that comes again: where another process is about to give it, that one. */
  async repeat(known: KnownSession): Promise<MoveResult> {
    const { run, reply } = known.record
    if (run === undefined || !this.#runsElsewhere(known)) return reply
    return (await this.#moved(known, run.waitsMs - known.idleMs)) ? undefined : reply
  }

  /** Shows something else than the outcome: the words that it is late again, or the closing ones. */
  async stay(move: Move, known: KnownSession, step: FlowStep & { readonly kind: 'show' }): Promise<MoveResult> {
    const { run, outcome } = known.record
    const ended = step.reply.kind === 'end'
    if (ended) this.#parts.runs.get(known.key)?.leave()
    const record = { ...move.texts, state: step.state, reply: step.reply, run, outcome: ended ? undefined : outcome }
    const session = { ...move.session, version: known.version + 1, status: ended ? 'ended' : 'active', record } as const
    return (await this.#parts.store.save(session, { running: 'as-before' })) ? step.reply : undefined
  }

  /** Looks for the outcome of an action, wherever it runs; takes it over from a process that died. */
  async look(move: Move, known: KnownSession, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { leases, machine, actions, runs } = this.#parts
    if (runs.get(known.key)?.request.run.id === run.id) return await actions.look(move, run, action)
    if (this.#runsElsewhere(known)) {
      if (await this.#moved(known, run.waitsMs)) return undefined
      const { state } = known.record
      return await this.stay(move, known, { kind: 'show', state, reply: machine.late(state, move.facts) })
    }
    if (!(await leases.claim(known.key, !this.#parts.shared))) return undefined
    if (action.effect === 'write') return await actions.end(move, run, { kind: 'unknown' })
    return await actions.look(move, run, action)
  }

  #runsElsewhere({ key, runs }: KnownSession): boolean {
    return this.#parts.shared && runs && this.#parts.runs.get(key) === undefined
  }

  /** Waits until somebody else has moved a session. */
  async #moved({ key, version }: KnownSession, limitMs: number): Promise<boolean> {
    const until = performance.now() + limitMs
    while (performance.now() < until) {
      await pause(lookAgainMs)
      const now = await this.#parts.store.find(key)
      if (now?.version !== version) return true
    }
    return false
  }
}
