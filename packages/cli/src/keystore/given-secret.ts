import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import { readInput } from '../command/read-input.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'

/** The source of a secret that is given without a question. */
interface SecretSource {
  /** The value of the option: a file, or `-` for stdin. */
  readonly file?: string | undefined
  readonly flag: string
  readonly variable: string
}

const maxBytes = 4_096

/**
 * Reads a secret from a file, stdin or the environment, without the line end; undefined if none is given.
 *
 * @throws `usage_invalid` when the file cannot be read, is blank or is longer than 4,096 bytes
 */
export const givenSecret = async (
  { file, flag, variable }: SecretSource,
  io: Pick<CommandIo, 'env' | 'stdin' | 'cwd'>,
): Promise<string | undefined> => {
  if (file === undefined) return io.env[variable] || undefined
  const name = `The file of ${flag}`
  const secret = new TextDecoder().decode(await readInput(file, io, { name, maxBytes })).replace(/\r?\n$/, '')
  if (secret.trim() !== '') return secret
  throw cliErrors.usage_invalid(`${name} is blank.`, 'Pass a file with only the secret, or - for stdin.')
}

/**
 * Reads the mnemonic of the oracle from a file, stdin, or SIBYL_MNEMONIC.
 *
 * @param file `-` for stdin.
 * @returns undefined if none is given
 * @throws `usage_invalid` or `configuration_invalid` when it is not a mnemonic; never with a word of it
 */
export const readGivenWords = async (file: string | undefined, io: CommandIo): Promise<Mnemonic | undefined> => {
  if (file === '-' && io.stdin.isTTY) {
    const remedy = 'Pipe the mnemonic, pass a file, or omit --mnemonic-file to be asked.'
    throw cliErrors.usage_invalid('A mnemonic that is typed for --mnemonic-file - would be visible.', remedy)
  }
  const text = await givenSecret({ file, flag: '--mnemonic-file', variable: 'SIBYL_MNEMONIC' }, io)
  if (text === undefined) return undefined
  if (file === undefined) return mnemonicIn(text, 'SIBYL_MNEMONIC')
  const parsed = parseMnemonic(text)
  if (parsed.ok) return parsed.mnemonic
  const message = `The file of --mnemonic-file does not contain a mnemonic. ${parsed.message}`
  throw cliErrors.usage_invalid(message, 'Pass only the 12 or 24 words, in order.')
}

/** Parses the mnemonic in a variable. Throws `configuration_invalid`, never with a word of it. */
export const mnemonicIn = (text: string, variable: string): Mnemonic => {
  const parsed = parseMnemonic(text)
  if (parsed.ok) return parsed.mnemonic
  const message = `${variable} is not a mnemonic. ${parsed.message}`
  throw cliErrors.configuration_invalid(message, 'Set it to the correct mnemonic: 12 or 24 words, in order.')
}

/** Asks for a mnemonic until it is valid. Throws `interrupted`. */
export const askForMnemonic = async (asker: Asker, question: string): Promise<Mnemonic> => {
  const check = (text: string) => {
    const parsed = parseMnemonic(text)
    return parsed.ok ? undefined : parsed.message
  }
  return mnemonicIn(await asker.secret(question, { check }), 'The answer')
}
