import { chmod, mkdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { cliErrors } from '../errors/cli-errors.ts'

/**
 * Returns the folder for the data of this user: `SIBYL_HOME`, else `sibyl` in the config folder of the user.
 *
 * @throws `configuration_invalid` when neither is available: in a container a user may have no home
 */
export const homeFolder = (env: Readonly<Record<string, string | undefined>>): string => {
  if (env.SIBYL_HOME) return resolve(env.SIBYL_HOME)
  const config = env.XDG_CONFIG_HOME
  return join(config && isAbsolute(config) ? config : join(env.HOME || ownHome(), '.config'), 'sibyl')
}

const ownHome = (): string => {
  try {
    return homedir()
  } catch (cause) {
    const remedy = 'Set SIBYL_HOME to a writable folder.'
    throw cliErrors.configuration_invalid('You have no home folder on this computer.', remedy, { cause })
  }
}

/**
 * Creates the folder if it is missing, only for its owner (mode 0700).
 *
 * @param remedy The remedy if it cannot be created.
 * @throws `configuration_invalid` when it cannot be created, or when others may write to it
 */
export const openHomeFolder = async (
  folder: string,
  remedy = 'Set SIBYL_HOME to a writable folder.',
): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw cliErrors.configuration_invalid(`The folder ${folder} cannot be created${reason}.`, remedy, { cause })
  }
  const { mode } = await stat(folder)
  if (process.platform !== 'win32' && (mode & 0o022) !== 0) {
    const message = `Other users can write to ${folder} (mode ${octal(mode)}), where your key is stored.`
    throw cliErrors.configuration_invalid(message, `Run: chmod 700 '${folder}'`)
  }
}

/** Formats a file mode: 0644. */
export const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/**
 * Makes a file readable only by its owner.
 *
 * @returns a message if others could read it: `Other users could read … (mode 0644); its mode is now 0600.`
 */
export const makePrivate = async (path: string, name = path): Promise<string | undefined> => {
  const { mode } = await stat(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined
  await chmod(path, 0o600)
  return `Other users could read ${name} (mode ${octal(mode)}); its mode is now 0600.`
}
