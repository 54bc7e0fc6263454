import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The person left a question with Ctrl-C. */
export class InterruptedError extends CommandError {
  readonly code = 'interrupted'
  readonly exitCode = exitCode.interrupted
}
