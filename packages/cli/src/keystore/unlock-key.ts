import type { SigningKey } from '@sibyl/identity'
import type { CommandIo } from '../command-io.ts'
import { homeFolder } from '../home/home-folder.ts'
import { Keystore } from './keystore.ts'

/**
 * Opens a key of the person's keystore.
 *
 * @param passphrase See `readPassphrase`.
 * @throws `passphrase_wrong`, `key_missing`, `usage_invalid` for what
 * is no name, `configuration_invalid` when its file is not usable
 */
export const unlockKey = async (
  name: string,
  passphrase: string,
  { env }: Pick<CommandIo, 'env'>,
): Promise<SigningKey> => (await new Keystore(homeFolder(env)).open(name, passphrase)).key
