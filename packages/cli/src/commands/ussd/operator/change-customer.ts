import type { CommandIo } from '../../../command-io.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { writeJson } from '../../../output/write-json.ts'
import { isPhoneNumber } from '../dial-formats.ts'
import { type ActionKind, actionKinds, waitingAction } from './action-kinds.ts'
import { confirmAction } from './confirm-action.ts'
import { OperatorClient } from './operator-client.ts'
import { ask, canAsk, operatorNote } from './operator-note.ts'
import type { TwoStepOptions } from './operator-options.ts'
import { readTarget } from './read-target.ts'

/**
 * Runs `sibyl ussd customers reset`, `unlock` and `erase`: asks the oracle for it, and confirms with the word that the
 * oracle gave, once a person has typed it. Where nobody can be asked, the first step alone is done, unless `--yes` is given.
 *
 * @param target A phone number or a customer's id; `-` for stdin.
 * @throws CommandError, and what `OperatorClient.send` throws
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
      'Erase takes a phone number: all that is kept of it goes.',
      'An export shows what that is.',
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
    io.stderr.write(`It is recorded, and waits until ${expiresAt}. Confirm it with:\n`)
    io.stdout.write(`sibyl ussd customers confirm ${kind} ${id} ${confirmation}\n`)
    return exitCode.done
  }
  const word = await ask(`Type ${confirmation} to confirm it.`, io, answer =>
    answer.trim() === confirmation ? undefined : `That is not ${confirmation}. Ctrl-C leaves everything as it is.`,
  )
  return word === undefined ? cancelled(io) : confirm(word.trim())
}

const cancelled = (io: CommandIo): ExitCode => {
  io.stderr.write('Nothing was changed.\n')
  return exitCode.interrupted
}
