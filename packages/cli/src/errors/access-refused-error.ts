import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The oracle does not let the person in, or a delegation does not do what it is to do. */
export class AccessRefusedError extends CommandError {
  readonly code = 'access_refused'
  readonly exitCode = exitCode.failed
}
