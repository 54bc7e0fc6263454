import { userInfo } from 'node:os'
import { readPhoneNumber } from '@sibyl/plugin/phones'
import { mayAsk } from '../../../ask/asker.ts'
import { clackAsker } from '../../../ask/clack-asker.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { readLine } from '../../../process/read-line.ts'
import type { RecordedOptions } from './operator-commands.ts'

/**
 * Returns the target of a command: a phone number or a customer ID.
 *
 * @param target `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
export const readTarget = async (target: string, io: CommandIo): Promise<string> => {
  const given = (target === '-' ? await readLine(io) : target).trim()
  const read = /^\d{9}$/.test(given) ? given : readPhoneNumber(given)
  if (read !== undefined) return read
  throw cliErrors.usage_invalid(
    'The argument is neither a phone number nor a customer ID.',
    'Pass a number such as +260971234567, or nine digits.',
  )
}

/**
 * Returns the operator and the reason (`--reason`, or by a question).
 *
 * @throws `usage_invalid` without a terminal, `interrupted` when the user cancels
 */
export const readNote = async (options: RecordedOptions, io: CommandIo) => {
  const operator = await readOperator(options, io)
  const question = 'Reason? It is recorded; do not include names or numbers.'
  return { operator, reason: options.reason ?? (await askFor(question, 'reason', options, io)) }
}

/**
 * Returns the name of the operator: `--operator`, else `USER` or `USERNAME`, else the account of this process, else by
 * a question.
 *
 * @throws `usage_invalid` without a terminal, `interrupted` when the user cancels
 */
export const readOperator = async (options: RecordedOptions, io: CommandIo): Promise<string> => {
  const { USER, USERNAME } = io.env
  const known = options.operator ?? (USER?.trim() || USERNAME?.trim() || accountName())
  return known ?? askFor('Your name? It is recorded.', 'operator', options, io)
}

/**
 * Returns the account of this process, for services and containers without `USER`; undefined if the system has none.
 */
const accountName = (): string | undefined => {
  try {
    return userInfo().username || undefined
  } catch {
    return undefined
  }
}

const askFor = async (question: string, option: string, { json = false }: RecordedOptions, io: CommandIo) => {
  if (!mayAsk(io, { json }))
    throw cliErrors.usage_invalid(
      `The ${option} is missing; it is recorded with the request.`,
      `Pass --${option} "text".`,
    )
  const check = (answer: string) => (answer.trim().length < 3 ? 'Some words, please.' : undefined)
  return clackAsker(io, io.stdout, false).text(question, { check })
}
