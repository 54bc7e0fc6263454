import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** This computer has neither the key of a controller nor a login that lets it act for them. */
export class NotSignedInError extends CommandError {
  readonly code = 'not_signed_in'
  readonly exitCode = exitCode.configuration
}
