import type { CheckGrant } from '../../auth/grant-check.ts'
import type { TurnTools } from '../../tools/turn-tools.ts'
import type { RunningTurn } from '../store/running-turn.ts'
import type { StoreDependencies } from '../store/store-dependencies.ts'
import type { HeldCalls } from './held-calls.ts'

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
