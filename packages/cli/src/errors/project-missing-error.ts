import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The command works in an oracle's project, and was called outside of one. */
export class ProjectMissingError extends CommandError {
  readonly code = 'project_missing'
  readonly exitCode = exitCode.configuration
}
