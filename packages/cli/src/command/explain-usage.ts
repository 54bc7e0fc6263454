import type { CommanderError } from 'commander'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'

/**
 * Makes an error of ours from what commander says of a wrong call.
 *
 * @param command As it is typed: `sibyl chat`.
 */
export const explainUsage = (error: CommanderError, command: string): CommandError =>
  cliErrors.usage_invalid(wordsOf(error, command), `See: ${command} --help`, { cause: error })

const wordsOf = ({ code, message }: CommanderError, command: string): string => {
  if (code === 'commander.help') return `${command} takes one of its commands.`
  const [what = '', ...hints] = withoutValues(code, message.replace(/^error: /, '')).split('\n')
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.?$/, '.')}`
  return cleanLine([sentence, ...hints.map(hint => hint.replace(/^\((.*)\)$/, '$1'))].join(' '))
}

/** Somebody may have given a secret where there is no place for one: what follows a name is not repeated. */
const withoutValues = (code: string, message: string): string => {
  if (code === 'commander.unknownOption') return message.replace(/^(unknown option '[^'=]*)=.*'(?=\n|$)/s, "$1'")
  return code === 'commander.excessArguments' ? message.replace(/(but got \d+): .*/s, '$1.') : message
}
