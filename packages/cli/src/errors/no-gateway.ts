import { cliErrors } from './cli-errors.ts'
import type { CommandError } from './command-error.ts'

/** Returns the error for an oracle without the ussd plugin. */
export const noGateway = (url: string, status: number): CommandError =>
  cliErrors.gateway_missing(
    `There is no USSD gateway at ${url} (status ${status}).`,
    'Enable it with PIN_ENCRYPTION_KEY=<output of `openssl rand -hex 32`> in the .env of the oracle.',
  )
