import type { CheckGrant } from '../../auth/grant-check.ts'
import type { TurnTools } from '../../tools/turn-tools.ts'
import type { RunningTurn } from '../store/running-turn.ts'
import type { StoreDependencies } from '../store/store-dependencies.ts'

/** Dependencies of questions to a person, and of their decisions. */
export interface ApprovalDependencies extends StoreDependencies {
  readonly heldCalls: HeldCalls
  readonly checkGrant: CheckGrant
}

/** A turn whose tool calls may ask a person. */
export interface AskingTurn {
  readonly running: RunningTurn
  readonly dependencies: Pick<ApprovalDependencies, 'approvals' | 'heldCalls' | 'now'>
  readonly tools: TurnTools
}

/** The most turns with such calls that a process remembers; of more, the oldest ones are forgotten. */
const maxTurns = 1_000

/** The turns that ended here with calls that only this process can go on with. */
export class HeldCalls {
  readonly #processId: string
  readonly #turns = new Set<string>()

  constructor(processId: string) {
    this.#processId = processId
  }

  /** Adds a turn. @returns what to store with its question */
  hold(turnId: string): { readonly heldBy: string } {
    const [oldest] = this.#turns
    if (this.#turns.size >= maxTurns && oldest !== undefined) this.#turns.delete(oldest)
    this.#turns.add(turnId)
    return { heldBy: this.#processId }
  }

  /** Removes a turn; false where it is not held. */
  release(turnId: string): boolean {
    return this.#turns.delete(turnId)
  }
}
