import type { CommandIo } from '../../../command-io.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { writeJson } from '../../../output/write-json.ts'
import { type ActionKind, type ActionTarget, actionKinds, confirmedAction } from './action-kinds.ts'
import { OperatorClient } from './operator-client.ts'
import { operatorName } from './operator-note.ts'
import type { RecordedOptions } from './operator-options.ts'

/** A request that was recorded. */
export interface RecordedRequest {
  readonly id: string
  /** The word that the request was answered with. */
  readonly word: string
  /** Whom it is for, where that is known. */
  readonly about?: ActionTarget
}

/**
 * Runs `sibyl ussd customers confirm`, the second step. The one-time PIN of a reset alone goes to standard output.
 *
 * @throws CommandError, and what `OperatorClient.send` throws
 */
export const confirmAction = async (
  kind: ActionKind,
  { id, word: confirmation, about }: RecordedRequest,
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
    const next = `The customer signs in with this PIN until ${confirmed.validUntil}, and chooses a new one:`
    io.stderr.write(`${actionKinds[kind].done(about)} ${next}\n`)
    io.stdout.write(`${confirmed.pin}\n`)
  } else io.stderr.write(`${actionKinds[kind].done(about)}\n`)
  return exitCode.done
}
