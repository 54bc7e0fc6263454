import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** What the phone signed is not what it was asked to sign. */
export class SigningInvalidError extends CommandError {
  readonly code = 'signing_invalid'
  readonly exitCode = exitCode.failed
}
