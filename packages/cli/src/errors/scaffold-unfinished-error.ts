import type { ExitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** A new oracle may be registered already, and its project is not written yet; the next run goes on from there. */
export class ScaffoldUnfinishedError extends CommandError {
  readonly code = 'scaffold_unfinished'
  readonly exitCode: ExitCode

  /** @param exitCode Of what stopped it. */
  constructor(message: string, remedy: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, remedy, options)
    this.exitCode = exitCode
  }
}
