import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** Something on this computer keeps a devnet from starting: its port, its folder, its data. */
export class DevnetNotStartedError extends CommandError {
  readonly code = 'devnet_not_started'
  readonly exitCode = exitCode.configuration
}
