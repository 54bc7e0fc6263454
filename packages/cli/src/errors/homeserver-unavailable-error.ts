import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** No Matrix homeserver answers at an address, or none that can be used now. */
export class HomeserverUnavailableError extends CommandError {
  readonly code = 'homeserver_unavailable'
  readonly exitCode = exitCode.network
}
