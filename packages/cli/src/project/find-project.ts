import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandIo } from '../command-io.ts'

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
