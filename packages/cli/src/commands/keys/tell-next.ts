import type { CommandIo } from '../../command-io.ts'
import { wrapWords } from '../../output/wrap-words.ts'

/** Says what follows from a command, below an empty line: sentences as wide as the terminal, and commands indented. */
export const tellNext = ({ stdout }: CommandIo, lines: readonly string[]): void => {
  const columns = Math.min(stdout.columns ?? 100, 100)
  const wrapped = lines.flatMap(line => (line.startsWith(' ') ? [line] : wrapWords(line, columns)))
  stdout.write(`\n${wrapped.join('\n')}\n`)
}
