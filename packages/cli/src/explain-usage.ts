import type { CommanderError } from 'commander'
import { UsageError } from './errors/usage-error.ts'
import { cleanLine } from './output/clean-text.ts'

/**
 * Makes an error of ours from what commander says of a wrong call.
 *
 * @param command As it is typed: `sibyl chat`.
 */
export const explainUsage = (error: CommanderError, command: string): UsageError =>
  new UsageError(wordsOf(error, command), `See: ${command} --help`, { cause: error })

const wordsOf = ({ code, message }: CommanderError, command: string): string => {
  if (code === 'commander.help') return `${command} takes one of its commands.`
  const [what = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.?$/, '.')}`
  return cleanLine([sentence, ...hints.map(hint => hint.replace(/^\((.*)\)$/, '$1'))].join(' '))
}
