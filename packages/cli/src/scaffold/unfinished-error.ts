import { AccountUnfundedError } from '../errors/account-unfunded-error.ts'
import { BotRefusedError } from '../errors/bot-refused-error.ts'
import type { CommandError } from '../errors/command-error.ts'
import { HomeserverUnavailableError } from '../errors/homeserver-unavailable-error.ts'
import { ScaffoldUnfinishedError } from '../errors/scaffold-unfinished-error.ts'
import { explainError } from '../explain-error.ts'
import type { ScaffoldRecord } from './journal/scaffold-journal.ts'

/**
 * What stopped a run after its first effect outside, with how the next one goes on.
 *
 * @param command Goes on.
 */
export const unfinishedError = (error: unknown, record: ScaffoldRecord, command: string): CommandError => {
  const { message, remedy, exitCode } = explainError(error)
  const done = record.entityDid === undefined ? '' : ` The oracle is registered already, as ${record.entityDid}.`
  const again =
    error instanceof AccountUnfundedError
      ? `Its words are kept, and nothing was written. Once it has funds, the same command goes on: ${command}`
      : `No file was written; the next run goes on from here: ${command}`
  const withoutBot =
    error instanceof HomeserverUnavailableError || error instanceof BotRefusedError
      ? `Or without a bot: ${command} --matrix-url none`
      : ''
  return new ScaffoldUnfinishedError(
    `${message}${done}`,
    [remedy, again, withoutBot].filter(Boolean).join(' '),
    exitCode,
    {
      cause: error,
    },
  )
}
