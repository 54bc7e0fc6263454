import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The code of the project that the command works in ended before its oracle could tell what it is made of. */
export class ProjectFailedError extends CommandError {
  readonly code = 'project_failed'
  readonly exitCode = exitCode.configuration
}
