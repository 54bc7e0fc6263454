import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'

/** An oracle that answers, with the ussd plugin switched off. */
export const noGateway = (url: string, status: number): CommandError =>
  cliErrors.gateway_missing(
    `There is no USSD gateway at ${url} (it answered ${status}).`,
    'PIN_ENCRYPTION_KEY switches it on: put PIN_ENCRYPTION_KEY=<what `openssl rand -hex 32` says> into its .env.',
  )
