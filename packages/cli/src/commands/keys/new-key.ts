import { createMnemonic } from '@sibyl/identity'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import type { KeptKey } from '../../keystore/keystore.ts'
import { passphraseFlag, readNewPassphrase } from '../../keystore/read-passphrase.ts'
import { writeJson } from '../../output/write-json.ts'
import { missingAnswers, openKeyRoom } from './key-room.ts'
import type { KeyOptions } from './keys-options.ts'
import { tellMade } from './tell-made.ts'

/**
 * Runs `sibyl keys new`.
 *
 * @throws CommandError
 */
export const newKey = async (name: string, options: KeyOptions, io: CommandIo): Promise<ExitCode> => {
  const { keystore, asker, during } = openKeyRoom(options, io)
  await keystore.assertFree(name)
  const passphrase = await readNewPassphrase(options, io, asker)
  if (passphrase === undefined) {
    throw missingAnswers([passphraseFlag], `sibyl keys new ${name} --passphrase-file ./passphrase`)
  }
  const key = await during('Encrypting it', () => keystore.add(name, createMnemonic(24), passphrase))
  tellKept(key, `Its words once, for a copy in a safe place: sibyl keys show ${name} --reveal`, options, io)
  return exitCode.done
}

/** Tells of a key that was kept. @param next What to do next. */
export const tellKept = (
  { name, did, createdAt, path }: KeptKey,
  next: string,
  { json }: KeyOptions,
  io: CommandIo,
): void => {
  if (json) {
    writeJson(io, { name, did, createdAt, path })
    return
  }
  tellMade(
    io,
    [
      ['key', name],
      ['did', did],
      ['file', path],
    ],
    ['Whoever forgets the passphrase needs the words.', next],
  )
}
