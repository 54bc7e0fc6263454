import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The passphrase does not open the key. */
export class PassphraseWrongError extends CommandError {
  readonly code = 'passphrase_wrong'
  readonly exitCode = exitCode.failed
}
