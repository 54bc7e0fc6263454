import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The phone has another key than the one that has to sign. */
export class WrongDeviceError extends CommandError {
  readonly code = 'signing_wrong_device'
  readonly exitCode = exitCode.failed
}
