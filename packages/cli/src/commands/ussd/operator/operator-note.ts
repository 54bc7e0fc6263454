import { isCancel, text } from '@clack/prompts'
import type { CommandIo } from '../../../command-io.ts'
import { UsageError } from '../../../errors/usage-error.ts'
import { isTerminal } from '../../../output/styles.ts'
import type { RecordedOptions } from './operator-options.ts'

/** Who asks, and why, as the oracle records it. */
export interface OperatorNote {
  readonly operator: string
  readonly reason: string
}

/** Whether a person can be asked. */
export const canAsk = ({ stdin, stdout, env }: CommandIo): boolean => stdin.isTTY === true && isTerminal(stdout, env)

/**
 * Who asks (`--operator`, else the name of the account on this computer), and why (`--reason`, else asked for).
 *
 * @returns undefined when the person cancels
 * @throws UsageError (`usage_invalid`) when nobody can be asked
 */
export const operatorNote = async (options: RecordedOptions, io: CommandIo): Promise<OperatorNote | undefined> => {
  const operator = operatorName(options, io)
  if (options.reason !== undefined) return { operator, reason: options.reason }
  if (!canAsk(io)) throw new UsageError('The reason is missing: it is recorded.', 'Give it with --reason "text".')
  const reason = await ask('Why? It is recorded; leave names and numbers out of it.', io, answer =>
    answer.trim().length < 3 ? 'Some words, please.' : undefined,
  )
  return reason === undefined ? undefined : { operator, reason }
}

/** @throws UsageError (`usage_invalid`) when neither `--operator` nor this computer says it */
export const operatorName = ({ operator }: RecordedOptions, { env }: CommandIo): string => {
  const name = operator ?? env.USER ?? env.USERNAME ?? ''
  if (name.trim() !== '') return name
  throw new UsageError('Who asks is missing: it is recorded.', 'Give it with --operator "name".')
}

/**
 * Asks a person for a line.
 *
 * @param fault Says what is wrong with an answer.
 * @returns undefined when the person cancels
 */
export const ask = async (
  message: string,
  io: CommandIo,
  fault: (answer: string) => string | undefined,
): Promise<string | undefined> => {
  const answer = await text({
    message,
    validate: value => fault(value ?? ''),
    withGuide: false,
    input: io.stdin,
    output: io.stdout,
  })
  return isCancel(answer) ? undefined : answer
}
