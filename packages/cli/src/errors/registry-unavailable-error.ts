import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** No registry answers at an address, or something else than a registry does. */
export class RegistryUnavailableError extends CommandError {
  readonly code = 'registry_unavailable'
  readonly exitCode = exitCode.network
}
