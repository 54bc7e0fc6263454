import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { writeJson } from '../../../output/clean-text.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { isPhoneNumber } from '../phone/dial-formats.ts'
import { type ActionKind, type ActionTarget, actionKinds, confirmedAction, waitingAction } from './action-kinds.ts'
import { OperatorClient, readTarget } from './operator-client.ts'
import { ask, canAsk, operatorName, operatorNote } from './operator-note.ts'
import type { RecordedOptions, TwoStepOptions } from './operator-options.ts'

/**
 * Runs `sibyl ussd customers reset`, `unlock` and `erase`: requests the action, and confirms it with the word of the
 * oracle after the user typed it. Without a terminal only the first step runs, unless `--yes` is given.
 *
 * @param target A phone number or a customer ID; `-` for stdin.
 */
export const changeCustomer = async (
  kind: ActionKind,
  target: string,
  options: TwoStepOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const who = await readTarget(target, io)
  if (kind === 'erase' && !isPhoneNumber(who)) {
    throw cliErrors.usage_invalid(
      'erase requires a phone number: it erases all data of that phone.',
      'Run export to see the data.',
    )
  }
  const note = await operatorNote(options, io)
  if (!note) return cancelled(io)
  const isPhone = isPhoneNumber(who)
  const body = { ...(isPhone ? { phoneNumber: who } : { customerId: who }), ...note }
  const { path, plan } = actionKinds[kind]
  const waiting = await client.send({ method: 'POST', path, body, answer: waitingAction })
  const about = { isPhone, customers: waiting.customers }
  io.stderr.write(`${plan(about)}\n`)

  const { id, confirmation, expiresAt } = waiting
  const confirm = (word: string) =>
    confirmAction(kind, { id, word, about }, { ...options, operator: note.operator }, io)
  if (options.yes) return confirm(confirmation)
  if (options.json) {
    writeJson(io, { kind, id, confirmation, expiresAt, customers: waiting.customers })
    return exitCode.done
  }
  if (!canAsk(io, options)) {
    io.stderr.write(`The request is recorded and valid until ${expiresAt}. Confirm it with:\n`)
    io.stdout.write(`sibyl ussd customers confirm ${kind} ${id} ${confirmation}\n`)
    return exitCode.done
  }
  const word = await ask(`Type ${confirmation} to confirm it.`, io, answer =>
    answer.trim() === confirmation ? undefined : `That is not ${confirmation}. Press Ctrl-C to cancel.`,
  )
  return word === undefined ? cancelled(io) : confirm(word.trim())
}

const cancelled = (io: CommandIo): ExitCode => {
  io.stderr.write('Nothing was changed.\n')
  return exitCode.interrupted
}

interface RecordedRequest {
  readonly id: string
  /** The word the confirmation word of the request. */
  readonly word: string
  /** The target, if known. */
  readonly about?: ActionTarget
}

/** Runs `sibyl ussd customers confirm`, the second step. Prints only the one-time PIN of a reset to standard output. */
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
    const next = `The customer can sign in with this PIN until ${confirmed.validUntil}, and then chooses a new one:`
    io.stderr.write(`${actionKinds[kind].done(about)} ${next}\n`)
    io.stdout.write(`${confirmed.pin}\n`)
  } else io.stderr.write(`${actionKinds[kind].done(about)}\n`)
  return exitCode.done
}
