import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The account that would sign on a chain is not there, or has less than the fee. */
export class AccountUnfundedError extends CommandError {
  readonly code = 'account_unfunded'
  readonly exitCode = exitCode.failed
}
