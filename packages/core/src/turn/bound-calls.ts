import type { Logger } from '@sibyl/plugin'
import type { Processes } from '@sibyl/storage'
import type { CheckGrant } from '../auth/grant-check.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Approval, ApprovalStore } from './approval-store.ts'
import { continueTurn } from './continue-turn.ts'
import type { ReadableTurn, Refused, StartTurn } from './start-turn.ts'
import type { TurnRow } from './turn.ts'
import type { TurnCalls } from './turn-notifier.ts'
import type { TurnStore } from './turn-store.ts'

/** How long the process that holds a call may take to go on with it, in milliseconds. */
const goOnLimitMs = 15_000

/** How often it is called, in milliseconds: a call may be lost. */
const callIntervalMs = 300

/** A holder has ended when so many looks in a row find it without a line, where it is not alone: a line that broke comes back. */
const goneAfterLooks = 10

/** The most turns with such calls that a process remembers; of more, the oldest ones are forgotten. */
const mostTurns = 1_000

/** Dependencies of `BoundCalls`. */
export interface BoundCallsParts {
  readonly store: Pick<TurnStore, 'find' | 'findByMessage'>
  readonly sessions: SessionStore
  readonly checkGrant: CheckGrant
  readonly approvals: ApprovalStore
  readonly calls: TurnCalls
  readonly processes: Pick<Processes, 'ownId' | 'connected' | 'steadyForMs'>
  readonly log: Logger
  start(request: StartTurn): Promise<Refused | ReadableTurn>
}

/**
 * Tool calls that wait for a person and can only go on in the process that holds them. A person may answer at any process: the
 * answer is stored, the holder is called, and goes on with the turn; the process that was asked follows it.
 */
export class BoundCalls {
  readonly #parts: BoundCallsParts
  /** The turns that ended with such calls here. */
  readonly #held = new Set<string>()

  constructor(parts: BoundCallsParts) {
    this.#parts = parts
  }

  /** Notes that a call of a turn can only go on here. @returns what to store of it */
  hold(turnId: string): { readonly heldBy: string } {
    const [oldest] = this.#held
    if (this.#held.size >= mostTurns && oldest !== undefined) this.#held.delete(oldest)
    this.#held.add(turnId)
    return { heldBy: this.#parts.processes.ownId }
  }

  /** Goes on with a turn whose calls are held here, once all of its questions are answered: another process called about it. */
  async called(turnId: string): Promise<void> {
    if (!this.#held.delete(turnId)) return
    try {
      if (!(await this.#goOn(turnId))) this.hold(turnId)
    } catch (error) {
      this.hold(turnId)
      this.#parts.log.warn('an answered question of this process could not be taken up', { turn: turnId, error })
    }
  }

  /**
   * The turn that goes on with answered calls in the process that holds them; undefined when this one does, or when the holder
   * has ended or does not go on.
   */
  async goneOn(next: StartTurn, approvals: readonly Approval[]): Promise<TurnRow | undefined> {
    const { store, calls, processes } = this.#parts
    const holder = approvals.find(({ heldBy }) => heldBy !== undefined && heldBy !== processes.ownId)?.heldBy
    const { actor, sessionId, messageKey, continues } = next
    if (holder === undefined || messageKey === undefined || !continues) return undefined
    const enough = Number.isFinite(processes.steadyForMs) ? goneAfterLooks : 1
    let absences = 0
    let calledAt = Number.NEGATIVE_INFINITY
    for (const until = performance.now() + goOnLimitMs; performance.now() < until; ) {
      const heard = calls.heard(continues.turnId, callIntervalMs)
      if (performance.now() - calledAt >= callIntervalMs) {
        calledAt = performance.now()
        calls.tell(continues.turnId)
      }
      const row = await store.findByMessage(actor.did, sessionId, messageKey)
      if (row) return row
      // This process's own line may be down: then the holder is not known to be.
      const isThere = await processes.connected([holder]).then(
        ids => ids.has(holder),
        () => true,
      )
      absences = isThere ? 0 : absences + 1
      if (absences >= enough) return undefined
      await heard
    }
    return undefined
  }

  /** @returns false while the turn has to wait */
  async #goOn(turnId: string): Promise<boolean> {
    const { store, sessions, approvals, calls, checkGrant, start } = this.#parts
    const asked = await store.find(turnId)
    if (asked?.status === 'running') return false
    const ofTurn = await approvals.ofTurn(turnId)
    if (ofTurn.some(({ state }) => state === 'open')) return false
    const last = ofTurn.toSorted((one, other) => (one.decidedAt ?? 0) - (other.decidedAt ?? 0)).at(-1)
    if (!asked || !last?.decidedBy) return true
    const turn = await start(await continueTurn({ sessions, checkGrant }, last.decidedBy, asked, ofTurn, false))
    if ('refused' in turn) return false
    calls.tell(turnId)
    return true
  }
}
