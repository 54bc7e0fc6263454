import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { explainError } from '../errors/explain-error.ts'
import type { ScaffoldRecord } from './journal/scaffold-journal.ts'

/**
 * What stopped a run after its first effect outside, with how the next one goes on.
 *
 * @param command Goes on.
 */
export const unfinishedError = (error: unknown, record: ScaffoldRecord, command: string): CommandError => {
  const { message, remedy, exitCode } = explainError(error)
  const done = record.entityDid === undefined ? '' : ` The oracle is registered already, as ${record.entityDid}.`
  const again = cliErrors.account_unfunded.is(error)
    ? `Its words are kept, and nothing was written. Once it has funds, the same command goes on: ${command}`
    : `No file was written; the next run goes on from here: ${command}`
  const withoutBot =
    cliErrors.homeserver_unavailable.is(error) || cliErrors.bot_refused.is(error)
      ? `Or without a bot: ${command} --matrix-url none`
      : ''
  return cliErrors.scaffold_unfinished(`${message}${done}`, [remedy, again, withoutBot].filter(Boolean).join(' '), {
    exitCode,
    cause: error,
  })
}
