import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The packages of a checkout, or those that are installed, could not be packed. */
export class PackingFailedError extends CommandError {
  readonly code = 'packing_failed'
  readonly exitCode = exitCode.failed

  /** @param output The end of what the build said. */
  constructor(output: string) {
    super(
      `Sibyl's packages could not be packed:\n${output}`,
      'Fix what it names, or set SIBYL_PACKAGES to a folder of tarballs.',
    )
  }
}
