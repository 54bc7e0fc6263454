import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import type { Asker } from '../../ask/asker.ts'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { passphraseFlag, readNewPassphrase } from '../../keystore/read-passphrase.ts'
import { checkWords, readGivenWords } from '../new/read-words.ts'
import { missingAnswers, openKeyRoom } from './key-room.ts'
import type { ImportOptions } from './keys-options.ts'
import { tellKept } from './new-key.ts'

/**
 * Runs `sibyl keys import`.
 *
 * @throws CommandError
 */
export const importKey = async (name: string, options: ImportOptions, io: CommandIo): Promise<ExitCode> => {
  if (options.mnemonicFile === '-' && options.passphraseFile === '-') {
    throw cliErrors.usage_invalid('Words and passphrase cannot both come from stdin.', 'Put one of them into a file.')
  }
  const { keystore, asker, during } = openKeyRoom(options, io)
  await keystore.assertFree(name)
  const words = (await readGivenWords(options.mnemonicFile, io)) ?? (await askForWords(asker))
  const passphrase = await readNewPassphrase(options, io, asker)
  if (words === undefined || passphrase === undefined) {
    const missing = [
      ...(words === undefined ? ['--mnemonic-file <file> (or SIBYL_MNEMONIC)'] : []),
      ...(passphrase === undefined ? [passphraseFlag] : []),
    ]
    throw missingAnswers(missing, `sibyl keys import ${name} --mnemonic-file ./words --passphrase-file ./passphrase`)
  }
  const key = await during('Encrypting it', () => keystore.add(name, words, passphrase))
  tellKept(key, `To act at a registry with it: sibyl login --key ${name}`, options, io)
  return exitCode.done
}

const askForWords = async (asker: Asker | undefined): Promise<Mnemonic | undefined> => {
  if (!asker) return undefined
  const parsed = parseMnemonic(await asker.secret('Its 12 or 24 words', { check: checkWords }))
  return parsed.ok ? parsed.mnemonic : undefined
}
