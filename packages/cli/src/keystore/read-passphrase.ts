import type { SigningKey } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { homeFolder } from '../home/home-folder.ts'
import type { CommandIo } from '../process/command-io.ts'
import { givenSecret } from './given-secret.ts'
import { Keystore } from './keystore.ts'

/** The source of a passphrase, from the options of a command. */
interface PassphraseOptions {
  /** A file, `-` for stdin. */
  readonly passphraseFile?: string
}

/** The option for a missing passphrase, for errors. */
export const passphraseFlag = '--passphrase-file <file> (or SIBYL_PASSPHRASE)'

const shortest = 10
const longest = 1_000

/**
 * Returns the passphrase of an existing key: `--passphrase-file`, SIBYL_PASSPHRASE, or by a question.
 *
 * @param asker Undefined without a terminal.
 * @returns undefined when it is neither given nor asked for
 * @throws `usage_invalid` when its file cannot be read, or the input would be visible
 */
export const readPassphrase = async (
  { passphraseFile }: PassphraseOptions,
  io: CommandIo,
  asker: Asker | undefined,
  question = 'Passphrase of the key',
): Promise<string | undefined> =>
  (await givenPassphrase(passphraseFile, io)) ?? (await asker?.secret(question, { check: orMissing }))

/**
 * Returns a passphrase for a new key, at least 10 characters: like `readPassphrase`, but asked for twice.
 *
 * @returns undefined when it is neither given nor asked for
 * @throws `usage_invalid` when the given one is too short
 */
export const readNewPassphrase = async (
  { passphraseFile }: PassphraseOptions,
  io: CommandIo,
  asker: Asker | undefined,
): Promise<string | undefined> => {
  const given = await givenPassphrase(passphraseFile, io)
  if (given !== undefined) {
    const violation = passphraseViolation(given)
    if (violation !== undefined)
      throw cliErrors.usage_invalid(
        `The passphrase is too weak. ${violation}`,
        'Use several words that are hard to guess.',
      )
    return given
  }
  if (!asker) return undefined
  const passphrase = await asker.secret('A passphrase for it, at least 10 characters', { check: passphraseViolation })
  await asker.secret('Repeat the passphrase', {
    check: again =>
      again.normalize('NFKC') === passphrase.normalize('NFKC') ? undefined : 'The two passphrases differ.',
  })
  return passphrase
}

const givenPassphrase = async (file: string | undefined, io: CommandIo): Promise<string | undefined> => {
  if (file === '-' && io.stdin.isTTY) {
    const remedy = 'Pipe it, pass a file, or omit --passphrase-file to be asked.'
    throw cliErrors.usage_invalid('A passphrase that is typed for --passphrase-file - would be visible.', remedy)
  }
  return givenSecret({ file, flag: '--passphrase-file', variable: 'SIBYL_PASSPHRASE' }, io)
}

const orMissing = (answer: string): string | undefined =>
  answer === '' ? 'Type it, or cancel with Ctrl-C.' : undefined

const passphraseViolation = (passphrase: string): string | undefined => {
  const length = [...passphrase].length
  if (length > longest) return `It has more than ${longest} characters.`
  return length < shortest || passphrase.trim() === '' ? `At least ${shortest} characters, please.` : undefined
}

/**
 * Decrypts a key of the keystore.
 *
 * @param passphrase See `readPassphrase`.
 * @throws `passphrase_wrong`, `key_missing`, `usage_invalid` for an invalid name, `configuration_invalid` when its file
 * is not usable
 */
export const unlockKey = async (
  name: string,
  passphrase: string,
  { env }: Pick<CommandIo, 'env'>,
): Promise<SigningKey> => (await new Keystore(homeFolder(env)).open(name, passphrase)).key
