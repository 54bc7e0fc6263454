import { join } from 'node:path'
import type { CommandIo } from '../command-io.ts'
import { envValues } from './env-values.ts'
import { findProject } from './find-project.ts'
import { readProjectFile } from './read-project-file.ts'

/**
 * The port on which the oracle of this project listens: `PORT` of the environment, else of its `.env`.
 *
 * @returns undefined outside of a project, and where neither says a port
 * @throws `configuration_invalid` when `.env` cannot be read
 */
export const projectPort = async (io: Pick<CommandIo, 'cwd' | 'env'>): Promise<number | undefined> => {
  const folder = await findProject(io)
  if (folder === undefined) return undefined
  const port = Number(io.env.PORT || envValues((await readProjectFile(join(folder, '.env'))) ?? '').PORT)
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
}
