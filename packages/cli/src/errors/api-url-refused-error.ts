import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** At the new API URL of an oracle nobody answers, or somebody else. */
export class ApiUrlRefusedError extends CommandError {
  readonly code = 'api_url_refused'
  readonly exitCode = exitCode.network
}
