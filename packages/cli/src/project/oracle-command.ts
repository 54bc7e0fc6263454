import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { shellVariables } from '../env/command-variables.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { Project } from './project.ts'
import { readProjectFile } from './read-project-file.ts'

export interface OracleCommand {
  /** The path of the Node of this process. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The main file, relative to the project: `src/main.ts`. */
  readonly entry: string
}

const manifest = z.object({ scripts: z.object({ start: z.string().max(2_000).optional() }).optional() })

/** `node src/main.ts`, optionally with options of Node. */
const startScript =
  /^\s*node((?:\s+--?[\w-]+(?:=[^\s"'|&;<>$]+)?)*)\s+(?<entry>[^\s"'|&;<>$-][^\s"'|&;<>$]*\.[cm]?[jt]s)\s*$/

/**
 * Returns the command that starts the oracle of a project: that of `npm start` if it is `node` with a file, otherwise
 * `src/main.ts`. The compile cache is in `node_modules/.cache` of the project, unless the environment sets another
 * folder. Secrets in the environment that are only for the command, such as a passphrase, are not passed to the oracle.
 *
 * @throws `configuration_invalid` when the file does not exist
 */
export const oracleCommand = async ({ folder }: Project, { env }: Pick<CommandIo, 'env'>): Promise<OracleCommand> => {
  const script = await readStartScript(folder)
  const entry = script?.entry ?? 'src/main.ts'
  if (!existsSync(join(folder, entry))) {
    throw cliErrors.configuration_invalid(
      `${entry} does not exist in ${folder}.`,
      'Create it, or set "start" in the scripts of package.json: node src/main.ts',
    )
  }
  const modules = join(folder, 'node_modules')
  const cache = existsSync(modules) ? { NODE_COMPILE_CACHE: join(modules, '.cache', 'sibyl') } : {}
  return {
    file: process.execPath,
    args: [...ownConditions(), ...runsTypeScript(), ...(script?.options ?? []), entry],
    cwd: folder,
    env: { ...cache, ...withoutOwnSecrets(env) },
    entry,
  }
}

const withoutOwnSecrets = (env: CommandIo['env']): CommandIo['env'] => {
  const own = new Set(shellVariables.filter(({ secret }) => secret).map(({ name }) => name))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.has(name)))
}

const readStartScript = async (folder: string): Promise<{ entry: string; options: string[] } | undefined> => {
  const read = manifest.safeParse(parseJson((await readProjectFile(join(folder, 'package.json'))) ?? ''))
  const match = startScript.exec((read.success && read.data.scripts?.start) || '')
  if (!match?.groups?.entry) return undefined
  return { entry: match.groups.entry, options: (match[1] ?? '').split(/\s+/).filter(Boolean) }
}

/** In a checkout, packages resolve to their sources by an export condition of this process. */
const ownConditions = (): string[] =>
  process.execArgv.filter(argument => argument.startsWith('--conditions=') || argument.startsWith('-C='))

/** The first versions of Node 22 need a flag for TypeScript, and warn about it. */
const runsTypeScript = (): string[] => [
  ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ...(process.versions.node.startsWith('22.') ? ['--disable-warning=ExperimentalWarning'] : []),
]
