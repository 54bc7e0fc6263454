import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** A registry does not take what it was sent. */
export class RegistryRefusedError extends CommandError {
  readonly code = 'registry_refused'
  readonly exitCode = exitCode.failed
}
