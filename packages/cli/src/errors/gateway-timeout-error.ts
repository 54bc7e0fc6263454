import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The gateway took longer than a network waits: a phone shows a connection problem, and the session is over. */
export class GatewayTimeoutError extends CommandError {
  readonly code = 'gateway_timeout'
  readonly exitCode = exitCode.network
}
