import { configVariables } from '@sibyl/core'
import type { CommandIo } from '../../command-io.ts'
import type { Project } from '../../project/project.ts'

/** Where the value of a variable comes from. */
export type EnvSource = 'environment' | '.env' | 'oracle.config.json' | 'default' | 'nowhere'

/** Finds out where the value of a variable comes from; a blank one counts as not set. */
export const whereSet = (
  { name, default: usual }: { readonly name: string; readonly default?: string | undefined },
  project: Project | undefined,
  { env }: Pick<CommandIo, 'env'>,
): EnvSource => {
  if (env[name] !== undefined) return env[name].trim() === '' ? absent(name, project, usual) : 'environment'
  if (project && Object.hasOwn(project.envFile, name) && project.envFile[name]?.trim()) return '.env'
  return absent(name, project, usual)
}

const absent = (name: string, project: Project | undefined, usual: string | undefined): EnvSource => {
  const key = Object.entries(configVariables).find(([, variable]) => variable === name)?.[0]
  if (key !== undefined && project?.config[key as keyof typeof configVariables]) return 'oracle.config.json'
  return usual === undefined ? 'nowhere' : 'default'
}
