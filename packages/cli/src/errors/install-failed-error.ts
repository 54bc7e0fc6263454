import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The project is written, but what it needs could not be installed. */
export class InstallFailedError extends CommandError {
  readonly code = 'install_failed'
  readonly exitCode = exitCode.failed
}
