import { chmodSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { reasonOf, StartError } from './start-error.ts'

/** Variables by name; `process.env` in a running oracle. */
export type Variables = Record<string, string | undefined>

/**
 * Loads an `.env` file: what the environment has already stays. A file that others could read is made its owner's alone
 * (0600), which is told on standard error; where there is no file, nothing happens.
 *
 * @param path @default `.env` in the working folder
 * @param variables Takes what the file says. @default process.env
 * @throws StartError (`start_failed`) when the file is there but cannot be read
 */
export const loadEnvFile = (path = '.env', variables: Variables = process.env): void => {
  const text = readText(path)
  if (text === undefined) return
  for (const [name, value] of Object.entries(parseEnv(text))) variables[name] ??= value
  const mode = statSync(path).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  chmodSync(path, 0o600)
  console.error(`Others could read ${path} (mode ${mode.toString(8).padStart(4, '0')}); now it is yours alone (0600).`)
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read (${reasonOf(error)}). Check what it is and who may read it.`)
  }
}
