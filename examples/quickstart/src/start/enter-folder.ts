import { mkdirSync } from 'node:fs'
import { loadEnvFile } from './load-env-file.ts'
import { reasonOf, StartError } from './start-error.ts'

/**
 * Goes to the folder that holds what belongs to this computer, `.env` and `.data`, makes it where it is missing, and
 * loads its `.env`.
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
  for (const remark of loadEnvFile('.env', process.env)) console.error(remark)
}
