import { mkdirSync } from 'node:fs'
import { loadEnvFile, reasonOf, StartError } from '@sibyl/core/start'
import { ownSecrets } from './own-secrets.ts'

/**
 * Goes to the folder that holds what belongs to this computer, `.env` and `.data`, makes it where it is missing, and
 * loads its `.env`, to which the first run adds the secrets of this computer.
 *
 * @throws StartError when the folder or its `.env` cannot be used
 */
export const enterFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
    process.chdir(folder)
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be used (${reasonOf(error)}). Name another one.`)
  }
  loadEnvFile('.env', { secrets: ownSecrets })
}
