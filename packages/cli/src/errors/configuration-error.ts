import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** A file or variable of this computer is not as the command needs it. */
export class ConfigurationError extends CommandError {
  readonly code = 'configuration_invalid'
  readonly exitCode = exitCode.configuration
}
