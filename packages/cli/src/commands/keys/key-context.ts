import { type Asker, mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { Keystore } from '../../keystore/keystore.ts'
import { wrapWords } from '../../output/display-width.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'

interface KeyContext {
  readonly keystore: Keystore
  /** Undefined without a terminal. */
  readonly asker: Asker | undefined
  /** Shows the name of work that may take longer than a second while it runs. */
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** Opens the keystore of the user; repaired permissions are reported on standard error. */
export const openKeyContext = (
  options: { readonly json?: boolean; readonly yes?: boolean },
  io: CommandIo,
): KeyContext => ({
  keystore: new Keystore(homeFolder(io.env), remark => void io.stderr.write(`${remark}\n`)),
  // `--yes` answers one question of several: a passphrase is still requested.
  asker: mayAsk(io, { json: options.json === true }) ? clackAsker(io) : undefined,
  during: (name, work) => during(name, io, work),
})

/**
 * Creates one error with all that is missing without a terminal.
 *
 * @param missing Options with their values.
 * @param example A complete command.
 */
export const missingAnswers = (missing: readonly string[], example: string): CommandError =>
  cliErrors.usage_invalid(
    `There is no terminal for questions. Missing: ${missing.join(', ')}.`,
    `For example: ${example}`,
  )

/**
 * Prints the result of a command, then the next steps: sentences as wide as the terminal, and commands indented.
 *
 * @param next Lines; those that start with a space are not wrapped.
 */
export const printMade = (io: CommandIo, fields: readonly Field[], next: readonly string[]): void => {
  const columns = Math.min(io.stdout.columns ?? 100, 100)
  const wrapped = next
    .map(line => asCalled(line, io.env))
    .flatMap(line => (line.startsWith(' ') ? [line] : wrapWords(line, columns)))
  // Questions may be shown above.
  if (io.stdin.isTTY) io.stdout.write('\n')
  showFields(io, fields)
  io.stdout.write(`\n${wrapped.join('\n')}\n`)
}
