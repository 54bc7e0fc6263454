import type { Approval } from '../store/approval-store.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import type { ReadableTurn } from '../store/running-turn.ts'
import type { TurnRow } from '../store/turn.ts'
import type { Refused } from '../store/turn-refusals.ts'
import type { ApprovalDependencies } from './asking-turn.ts'
import { continueTurn } from './continue-turn.ts'

/** The time within which the process that holds a call goes on with it, in milliseconds. */
const resumeLimitMs = 15_000

/** The interval of notifying it, in milliseconds: a notification may be lost. */
const callIntervalMs = 300

/** A holder has ended when so many looks in a row find it without a line, where it is not alone: a line that broke comes back. */
const goneAfterPolls = 10

/**
 * Tool calls that wait for a person and can only go on in the process that holds them. A person may answer at any process: the
 * answer is stored, the holder is notified and goes on with the turn; the process that received the answer follows it.
 */
export class BoundCalls {
  readonly #dependencies: ApprovalDependencies
  readonly #start: (request: RequestedTurn) => Promise<Refused | ReadableTurn>

  constructor(dependencies: ApprovalDependencies, start: (request: RequestedTurn) => Promise<Refused | ReadableTurn>) {
    this.#dependencies = dependencies
    this.#start = start
  }

  /** Goes on with a turn whose calls are held here, once all of its questions are answered: another process called about it. */
  async called(turnId: string): Promise<void> {
    if (!this.#dependencies.heldCalls.release(turnId)) return
    try {
      if (!(await this.#resume(turnId))) this.#dependencies.heldCalls.hold(turnId)
    } catch (error) {
      this.#dependencies.heldCalls.hold(turnId)
      this.#dependencies.log.warn('an answered question of this process could not be resumed', { turn: turnId, error })
    }
  }

  /**
   * The turn that goes on with answered calls in the process that holds them; undefined when this one does, or when the holder
   * has ended or does not go on.
   */
  async goneOn(next: RequestedTurn, approvals: readonly Approval[]): Promise<TurnRow | undefined> {
    const { turns, notifier, processes } = this.#dependencies
    const holder = approvals.find(({ heldBy }) => heldBy !== undefined && heldBy !== processes.ownId)?.heldBy
    const { actor, sessionId, messageKey, continues } = next
    if (holder === undefined || messageKey === undefined || !continues) return undefined
    const enough = Number.isFinite(processes.steadyForMs) ? goneAfterPolls : 1
    let absences = 0
    let calledAt = Number.NEGATIVE_INFINITY
    for (const until = performance.now() + resumeLimitMs; performance.now() < until; ) {
      const notified = notifier.notified(continues.turnId, callIntervalMs)
      if (performance.now() - calledAt >= callIntervalMs) {
        calledAt = performance.now()
        notifier.notify(continues.turnId)
      }
      const row = await turns.findByMessage(actor.did, sessionId, messageKey)
      if (row) return row
      // This process's own line may be down: then the state of the holder is unknown.
      const isThere = await processes.connected([holder]).then(
        ids => ids.has(holder),
        () => true,
      )
      absences = isThere ? 0 : absences + 1
      if (absences >= enough) return undefined
      await notified
    }
    return undefined
  }

  /** @returns false while the turn has to wait */
  async #resume(turnId: string): Promise<boolean> {
    const { turns, approvals, notifier } = this.#dependencies
    const asked = await turns.find(turnId)
    if (asked?.status === 'running') return false
    const ofTurn = await approvals.ofTurn(turnId)
    if (ofTurn.some(({ state }) => state === 'open')) return false
    const last = ofTurn.toSorted((one, other) => (one.decidedAt ?? 0) - (other.decidedAt ?? 0)).at(-1)
    if (!asked || !last?.decidedBy) return true
    const turn = await this.#start(
      await continueTurn(this.#dependencies, last.decidedBy, asked, ofTurn, { awaited: false }),
    )
    if ('refused' in turn) return false
    notifier.notify(turnId)
    return true
  }
}
