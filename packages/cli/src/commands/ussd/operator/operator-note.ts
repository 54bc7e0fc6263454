import { userInfo } from 'node:os'
import { isCancel, text } from '@clack/prompts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { isTerminal } from '../../../output/styles.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import type { OperatorOptions, RecordedOptions } from './operator-options.ts'

interface OperatorNote {
  readonly operator: string
  readonly reason: string
}

/** Returns whether questions are possible. */
export const canAsk = ({ stdin, stdout, env }: CommandIo, { json = false }: { readonly json?: boolean }): boolean =>
  !json && stdin.isTTY === true && isTerminal(stdout, env)

/**
 * Returns the operator and the reason (`--reason`, or by a question).
 *
 * @returns undefined when the user cancels
 * @throws `usage_invalid` without a terminal
 */
export const operatorNote = async (options: RecordedOptions, io: CommandIo): Promise<OperatorNote | undefined> => {
  const operator = await operatorName(options, io)
  const reason =
    options.reason ??
    (await askForWords('Reason? It is recorded; do not include names or numbers.', 'reason', options, io))
  return operator === undefined || reason === undefined ? undefined : { operator, reason }
}

/**
 * Returns the name of the operator: `--operator`, else `USER` or `USERNAME`, else the account of this process, else by
 * a question.
 *
 * @returns undefined when the user cancels
 * @throws `usage_invalid` without a terminal
 */
export const operatorName = async (options: RecordedOptions, io: CommandIo): Promise<string | undefined> => {
  const { USER, USERNAME } = io.env
  const known = options.operator ?? (USER?.trim() || USERNAME?.trim() || accountName())
  return known ?? askForWords('Your name? It is recorded.', 'operator', options, io)
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

const askForWords = (
  question: string,
  option: string,
  options: OperatorOptions,
  io: CommandIo,
): Promise<string | undefined> => {
  if (canAsk(io, options))
    return ask(question, io, answer => (answer.trim().length < 3 ? 'Some words, please.' : undefined))
  throw cliErrors.usage_invalid(
    `The ${option} is missing; it is recorded with the request.`,
    `Pass --${option} "text".`,
  )
}

/**
 * Asks for a line.
 *
 * @param check Returns the error of an answer.
 * @returns undefined when the user cancels
 */
export const ask = async (
  message: string,
  io: CommandIo,
  check: (answer: string) => string | undefined,
): Promise<string | undefined> => {
  const answer = await text({
    message,
    validate: value => check(value ?? ''),
    withGuide: false,
    input: io.stdin,
    output: io.stdout,
  })
  return isCancel(answer) ? undefined : answer
}
