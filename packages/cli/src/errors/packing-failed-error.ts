import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The packages of a checkout could not be built or packed. */
export class PackingFailedError extends CommandError {
  readonly code = 'packing_failed'
  readonly exitCode = exitCode.failed

  /** @param output The end of what the build said. */
  constructor(output: string) {
    super(
      `The packages of this checkout could not be packed:\n${output}`,
      'Mend it (npx -y pnpm@12 build), or set SIBYL_PACKAGES to a folder of tarballs.',
    )
  }
}
