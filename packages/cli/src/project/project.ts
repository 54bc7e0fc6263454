import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import type { OracleConfig } from '@sibyl/core'
import type { CommandIo } from '../process/command-io.ts'

export interface Project {
  readonly folder: string
  readonly config: OracleConfig
  /** What `.env` of the folder says; empty where there is none. The environment goes before it. */
  readonly envFile: Readonly<Record<string, string>>
  /** One setting: the environment, then `.env`, then `oracle.config.json`; undefined where it is blank everywhere. */
  setting(variable: string): string | undefined
}

/** The file that makes a folder an oracle's project. */
export const configFile = 'oracle.config.json'

/** Finds the project that a folder is in: it, or the nearest one above it, with an `oracle.config.json`. */
export const findProject = async ({ cwd }: Pick<CommandIo, 'cwd'>): Promise<string | undefined> => {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await exists(join(folder, configFile))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** What the text of an `.env` says, as the oracle reads it; the mark that some editors begin a file with is skipped. */
export const envValues = (text: string): Readonly<Record<string, string>> =>
  parseEnv(text.replace(/^\uFEFF/, '')) as Record<string, string>
