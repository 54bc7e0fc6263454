import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The command was called in a way that it does not know. */
export class UsageError extends CommandError {
  readonly code = 'usage_invalid'
  readonly exitCode = exitCode.usage
}
