import { createMnemonic } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import { askForMnemonic, readGivenWords } from '../../keystore/given-secret.ts'
import type { KeptKey } from '../../keystore/keystore.ts'
import { passphraseFlag, readNewPassphrase } from '../../keystore/read-passphrase.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { missingAnswers, openKeyContext, printMade } from './key-context.ts'
import type { ImportOptions, KeyOptions } from './keys-command.ts'

export const newKey = async (name: string, options: KeyOptions, io: CommandIo): Promise<void> => {
  const { keystore, asker, during } = openKeyContext(options, io)
  await keystore.assertFree(name)
  const passphrase = await readNewPassphrase(options, io, asker)
  if (passphrase === undefined) {
    throw missingAnswers([passphraseFlag], `sibyl keys new ${name} --passphrase-file ./passphrase`)
  }
  const key = await during('Encrypting it', () => keystore.add(name, createMnemonic(24), passphrase))
  printKept(key, `To show its mnemonic once, for a copy in a safe place: sibyl keys show ${name} --reveal`, options, io)
}

/** Prints a stored key. @param next The next steps. */
const printKept = ({ name, did, createdAt, path }: KeptKey, next: string, { json }: KeyOptions, io: CommandIo) => {
  if (json) return writeJson(io, { name, did, createdAt, path })
  printMade(
    io,
    [
      ['key', name],
      ['did', did],
      ['file', path],
    ],
    ['If you forget the passphrase, you need the mnemonic.', next],
  )
}

export const importKey = async (name: string, options: ImportOptions, io: CommandIo): Promise<void> => {
  if (options.mnemonicFile === '-' && options.passphraseFile === '-') {
    throw cliErrors.usage_invalid(
      'The mnemonic and the passphrase cannot both come from stdin.',
      'Put one of them in a file.',
    )
  }
  const { keystore, asker, during } = openKeyContext(options, io)
  await keystore.assertFree(name)
  const words =
    (await readGivenWords(options.mnemonicFile, io)) ?? (asker && (await askForMnemonic(asker, 'Its 12 or 24 words')))
  const passphrase = await readNewPassphrase(options, io, asker)
  if (words === undefined || passphrase === undefined) {
    const missing = [
      ...(words === undefined ? ['--mnemonic-file <file> (or SIBYL_MNEMONIC)'] : []),
      ...(passphrase === undefined ? [passphraseFlag] : []),
    ]
    throw missingAnswers(missing, `sibyl keys import ${name} --mnemonic-file ./words --passphrase-file ./passphrase`)
  }
  const key = await during('Encrypting it', () => keystore.add(name, words, passphrase))
  printKept(key, `To use it at a registry: sibyl login --key ${name}`, options, io)
}
