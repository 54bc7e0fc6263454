import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** Nobody signed in time. */
export class SigningExpiredError extends CommandError {
  readonly code = 'signing_expired'
  readonly exitCode = exitCode.failed
}
