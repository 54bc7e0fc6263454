import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'

/** Where a secret may come from without a question. */
export interface SecretSource {
  /** A file that holds it, `-` for stdin; what the flag was given. */
  readonly file?: string | undefined
  /** The flag, for errors: `--passphrase-file`. */
  readonly flag: string
  /** The environment's variable. */
  readonly variable: string
}

/** The longest secret, in characters. */
const longest = 4_096

/**
 * A secret that was given by a file, stdin or the environment, without the line's end; undefined where it was not.
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
  const fault = secret.length > longest ? `has more than ${longest} characters` : 'holds nothing'
  throw cliErrors.usage_invalid(`What ${flag} names ${fault}.`, 'Give a file with the secret alone, or - for stdin.')
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
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw cliErrors.usage_invalid(
      `What ${flag} names cannot be read (${reason}).`,
      'Check the path, and who may read it.',
      {
        cause,
      },
    )
  }
  return (text + decoder.decode()).replace(/\r?\n$/, '')
}
