import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { OracleConfig } from '@sibyl/core'
import type { CommandIo } from '../process/command-io.ts'
import { foldersFrom } from '../process/find-upward.ts'
import { readProjectFile } from './read-project-file.ts'

export interface Project {
  readonly folder: string
  readonly config: OracleConfig
  /** The values of `.env`; empty without that file. The environment overrides them. */
  readonly envFile: Readonly<Record<string, string>>
  /**
   * Returns a setting: from the environment, then `.env`, then `oracle.config.json`; undefined if it is blank
   * everywhere.
   */
  setting(variable: string): string | undefined
}

/** The file that marks a folder as the project of an oracle. */
export const configFile = 'oracle.config.json'

/** Finds the project of a folder: the nearest folder at or above it with an `oracle.config.json`. */
export const findProject = async ({ cwd }: Pick<CommandIo, 'cwd'>): Promise<string | undefined> =>
  foldersFrom(cwd).find(folder => existsSync(join(folder, configFile)))

/** Parses an `.env` like the oracle; the byte order mark of some editors is skipped. */
export const envValues = (text: string): Readonly<Record<string, string>> =>
  parseEnv(text.replace(/^\uFEFF/, '')) as Record<string, string>

/**
 * Returns the port of the oracle of this project: `PORT` of the environment, else of its `.env`.
 *
 * @returns undefined outside of a project, and if neither sets a port
 * @throws `configuration_invalid` when `.env` cannot be read
 */
export const projectPort = async (io: Pick<CommandIo, 'cwd' | 'env'>): Promise<number | undefined> => {
  const folder = await findProject(io)
  if (folder === undefined) return undefined
  const port = Number(io.env.PORT || envValues((await readProjectFile(join(folder, '.env'))) ?? '').PORT)
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
}
