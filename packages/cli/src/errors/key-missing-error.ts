import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The keystore has no key of that name. */
export class KeyMissingError extends CommandError {
  readonly code = 'key_missing'
  readonly exitCode = exitCode.configuration
}
