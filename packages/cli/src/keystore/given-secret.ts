import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import type { CommandIo } from '../process/command-io.ts'

/** The source of a secret that is given without a question. */
interface SecretSource {
  /** The value of the option: a file, or `-` for stdin. */
  readonly file?: string | undefined
  readonly flag: string
  readonly variable: string
}

const longest = 4_096

/**
 * Reads a secret from a file, stdin or the environment, without the line end; undefined if none is given.
 *
 * @throws `usage_invalid` when the file cannot be read, is blank or is longer than 4,096 characters
 */
export const givenSecret = async (
  { file, flag, variable }: SecretSource,
  { env, stdin, cwd }: Pick<CommandIo, 'env' | 'stdin' | 'cwd'>,
): Promise<string | undefined> => {
  if (file === undefined) return env[variable] || undefined
  const secret = await readSecret(file === '-' ? stdin : createReadStream(resolve(cwd, file)), flag)
  if (secret.length <= longest && secret.trim() !== '') return secret
  const violation = secret.length > longest ? `has more than ${longest} characters` : 'holds nothing'
  throw cliErrors.usage_invalid(`What ${flag} names ${violation}.`, 'Pass a file with only the secret, or - for stdin.')
}

const readSecret = async (input: Readable, flag: string): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of input) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      if (text.length > longest + 2) break
    }
  } catch (cause) {
    const reason = codeOf(cause) ?? 'unknown reason'
    throw cliErrors.usage_invalid(
      `The file of ${flag} cannot be read (${reason}).`,
      'Check the path and its permissions.',
      { cause },
    )
  }
  return (text + decoder.decode()).replace(/\r?\n$/, '')
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
  const parsed = parseMnemonic(text)
  if (parsed.ok) return parsed.mnemonic
  const remedy = 'Pass only the 12 or 24 words, in order.'
  throw file === undefined
    ? cliErrors.configuration_invalid(`SIBYL_MNEMONIC is not a mnemonic. ${parsed.message}`, remedy)
    : cliErrors.usage_invalid(`The file of --mnemonic-file does not contain a mnemonic. ${parsed.message}`, remedy)
}

/** Returns the error of a typed mnemonic. */
export const checkWords = (text: string): string | undefined => {
  const parsed = parseMnemonic(text)
  return parsed.ok ? undefined : parsed.message
}
