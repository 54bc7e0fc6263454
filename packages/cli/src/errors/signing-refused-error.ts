import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The person refused to sign, on the phone or because the two screens showed different numbers. */
export class SigningRefusedError extends CommandError {
  readonly code = 'signing_refused'
  readonly exitCode = exitCode.failed
}
