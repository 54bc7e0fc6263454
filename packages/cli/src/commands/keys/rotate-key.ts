import { createMnemonic } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { ExitCode } from '../../errors/exit-code.ts'
import { checkKeyName } from '../../keystore/key-file.ts'
import { passphraseFlag, readPassphrase } from '../../keystore/read-passphrase.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { missingAnswers, openKeyContext, printMade } from './key-context.ts'
import type { RotateOptions } from './keys-command.ts'
import { rotateOracleKey } from './rotate-oracle-key.ts'

/**
 * Runs `sibyl keys rotate`.
 *
 * @param name The key; with `--oracle` the name for the old key.
 */
export const rotateKey = async (
  name: string | undefined,
  options: RotateOptions,
  io: CommandIo,
): Promise<ExitCode | undefined> => {
  if (options.oracle) return rotateOracleKey(name, options, io)
  if (name === undefined) {
    throw cliErrors.usage_invalid(
      'Which key?',
      'Pass a name: sibyl keys rotate work. In the folder of an oracle: sibyl keys rotate --oracle',
    )
  }
  const { keystore, asker, during } = openKeyContext(options, io)
  await keystore.find(checkKeyName(name))
  const passphrase = await readPassphrase(options, io, asker)
  if (passphrase === undefined) {
    throw missingAnswers([passphraseFlag], `sibyl keys rotate ${name} --passphrase-file ./passphrase`)
  }
  const { made, retired } = await during('Creating a new key', () =>
    keystore.rotate(name, createMnemonic(24), passphrase),
  )
  if (options.json) {
    writeJson(io, { name, did: made.did, retired: { name: retired.name, did: retired.did } })
    return
  }
  printMade(
    io,
    [
      ['new', `${made.did}  ${made.name}`],
      ['old', `${retired.did}  ${retired.name}`],
    ],
    [
      'The new DID does not have the rights of the old one yet. Where the old DID is a controller, transfer control with the old key:',
      `  sibyl login --key ${retired.name}`,
      `  sibyl update-entity <did> --controller ${made.did}`,
      `To show its mnemonic once, for a copy in a safe place: sibyl keys show ${name} --reveal`,
    ],
  )
}
