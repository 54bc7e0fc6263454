import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** What answers at the address has no USSD gateway, or none that a phone may call. */
export class GatewayMissingError extends CommandError {
  readonly code = 'gateway_missing'
  readonly exitCode = exitCode.network
}
