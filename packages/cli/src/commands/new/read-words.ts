import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { givenSecret } from '../../keystore/given-secret.ts'

/**
 * The oracle's words, as they were given: a file, stdin, or SIBYL_MNEMONIC.
 *
 * @param file `-` for stdin.
 * @returns undefined where none were given
 * @throws `usage_invalid` or `configuration_invalid` when they are none; never with a word
 */
export const readGivenWords = async (file: string | undefined, io: CommandIo): Promise<Mnemonic | undefined> => {
  if (file === '-' && io.stdin.isTTY) {
    const remedy = 'Pipe them, name a file, or leave --mnemonic-file away and be asked.'
    throw cliErrors.usage_invalid('Words that are typed for --mnemonic-file - would be seen.', remedy)
  }
  const text = await givenSecret({ file, flag: '--mnemonic-file', variable: 'SIBYL_MNEMONIC' }, io)
  if (text === undefined) return undefined
  const parsed = parseMnemonic(text)
  if (parsed.ok) return parsed.mnemonic
  const remedy = 'Give the 12 or 24 words alone, in their order.'
  throw file === undefined
    ? cliErrors.configuration_invalid(`SIBYL_MNEMONIC is no mnemonic. ${parsed.message}`, remedy)
    : cliErrors.usage_invalid(`What --mnemonic-file names is no mnemonic. ${parsed.message}`, remedy)
}

/** Says what is wrong with words that a person typed. */
export const checkWords = (text: string): string | undefined => {
  const parsed = parseMnemonic(text)
  return parsed.ok ? undefined : parsed.message
}
