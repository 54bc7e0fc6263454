import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../home/parse-json.ts'
import { ownVersion } from '../own-version.ts'

const manifest = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,50}$/) })

/**
 * What to do where a project has another version of `@sibyl/core` than this command has of itself.
 *
 * @returns a sentence; undefined where they agree, or none is installed
 */
export const otherVersion = async (folder: string): Promise<string | undefined> => {
  const [core, own] = await Promise.all([installedCore(folder), ownVersion()])
  if (core === undefined || core === own) return undefined
  return `The project has @sibyl/core ${core}, this sibyl is ${own}: use its own (npx sibyl), or install all @sibyl packages in one version.`
}

const installedCore = async (folder: string): Promise<string | undefined> => {
  const text = await readFile(join(folder, 'node_modules/@sibyl/core/package.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return manifest.safeParse(parseJson(text)).data?.version
  return folder === dirname(folder) ? undefined : installedCore(dirname(folder))
}
