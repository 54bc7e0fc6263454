import { type Asker, mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { during } from '../../ask/during.ts'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { Keystore } from '../../keystore/keystore.ts'

/** What the commands on keys work with. */
export interface KeyRoom {
  readonly keystore: Keystore
  /** Undefined where nobody can be asked. */
  readonly asker: Asker | undefined
  /** Work that may take longer than a second, with its name in sight of a person. */
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** Opens the person's keystore; what was mended is told on standard error. */
export const openKeyRoom = (options: { readonly json?: boolean; readonly yes?: boolean }, io: CommandIo): KeyRoom => ({
  keystore: new Keystore(homeFolder(io.env), remark => void io.stderr.write(`${remark}\n`)),
  // `--yes` answers one question of several: a passphrase is asked for all the same.
  asker: mayAsk(io, { json: options.json === true }) ? clackAsker(io) : undefined,
  during: (name, work) => during(name, io, work),
})

/**
 * All that is missing where nobody can be asked, in one error.
 *
 * @param missing Flags with what they take.
 * @param example A whole command.
 */
export const missingAnswers = (missing: readonly string[], example: string): CommandError =>
  cliErrors.usage_invalid(
    `Nobody can be asked here, and this is missing: ${missing.join(', ')}.`,
    `For example: ${example}`,
  )
