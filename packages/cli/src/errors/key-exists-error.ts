import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The keystore has a key of that name, or another command put one there meanwhile. */
export class KeyExistsError extends CommandError {
  readonly code = 'key_exists'
  readonly exitCode = exitCode.failed
}
