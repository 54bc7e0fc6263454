import type { CommandIo } from '../../../command-io.ts'
import { type ExitCode, exitCode } from '../../../exit-code.ts'
import { writeJson } from '../../../output/write-json.ts'
import { type ActionKind, actionKinds, confirmedAction } from './action-kinds.ts'
import { OperatorClient } from './operator-client.ts'
import { operatorName } from './operator-note.ts'
import type { RecordedOptions } from './operator-options.ts'

/**
 * Runs `sibyl ussd customers confirm`, the second step. The one-time PIN of a reset alone goes to standard output.
 *
 * @param id Of the request.
 * @param confirmation The word that the request was answered with.
 * @throws CommandError, and what `OperatorClient.send` throws
 */
export const confirmAction = async (
  kind: ActionKind,
  id: string,
  confirmation: string,
  options: RecordedOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const operator = await operatorName(options, io)
  if (operator === undefined) return exitCode.interrupted
  const confirmed = await client.send({
    method: 'POST',
    path: `${actionKinds[kind].path}/${id}/confirm`,
    body: { confirmation, operator },
    answer: confirmedAction,
  })
  if (options.json) writeJson(io, { kind, id, ...confirmed })
  else if ('pin' in confirmed) {
    io.stderr.write(`Done. The customer signs in with this PIN until ${confirmed.validUntil}, and chooses a new one:\n`)
    io.stdout.write(`${confirmed.pin}\n`)
  } else io.stderr.write('Done.\n')
  return exitCode.done
}
