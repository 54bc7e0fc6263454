import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** The Matrix homeserver does not let the messaging bot in, or takes no new one. */
export class BotRefusedError extends CommandError {
  readonly code = 'bot_refused'
  readonly exitCode = exitCode.failed
}
