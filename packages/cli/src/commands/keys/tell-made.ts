import type { CommandIo } from '../../command-io.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { wrapWords } from '../../output/wrap-words.ts'

/**
 * Tells what a command has made, and below it what follows: sentences as wide as the terminal, and commands indented.
 *
 * @param next Lines; what begins with a space is not wrapped.
 */
export const tellMade = (io: CommandIo, fields: readonly Field[], next: readonly string[]): void => {
  const columns = Math.min(io.stdout.columns ?? 100, 100)
  const wrapped = next.flatMap(line => (line.startsWith(' ') ? [line] : wrapWords(line, columns)))
  // Questions may stand above.
  if (io.stdin.isTTY) io.stdout.write('\n')
  showFields(io, fields)
  io.stdout.write(`\n${wrapped.join('\n')}\n`)
}
