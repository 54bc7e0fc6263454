import type { TokenBudgets } from '../../budgets/token-budgets.ts'
import type { LoopDependencies } from '../loop/turn-run.ts'
import type { ClaimStore } from './claim-of.ts'

/** Dependencies of turns from their claim to their end. */
export interface ClaimDependencies extends LoopDependencies {
  readonly claims: ClaimStore
  readonly budgets: TokenBudgets
  /** The reason why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
}
