import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** No phone can reach this computer: it is in no network, or cannot listen there. */
export class SigningOfflineError extends CommandError {
  readonly code = 'signing_offline'
  readonly exitCode = exitCode.network
}
