import { join } from 'node:path'
import { configVariables, type OracleConfig, parseOracleConfig } from '@sibyl/core'
import { parseJson } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'
import { configFile, envValues, findProject, type Project } from './project.ts'
import { readProjectFile } from './read-project-file.ts'

/**
 * Reads the current project.
 *
 * @throws `project_missing` outside of a project, `configuration_invalid` when `oracle.config.json` or `.env` is
 * invalid
 */
export const openProject = async ({ cwd, env }: Pick<CommandIo, 'cwd' | 'env'>): Promise<Project> => {
  const folder = await findProject({ cwd })
  if (folder === undefined) {
    throw cliErrors.project_missing(
      `There is no oracle here: neither ${cwd} nor a folder above it has an ${configFile}.`,
      'Go to the folder of the oracle, or create one: sibyl new',
    )
  }
  const [config, envFile] = await Promise.all([readConfig(folder), readEnvFile(folder)])
  const fromConfig = new Map(
    Object.entries(configVariables).map(([key, variable]) => [variable as string, config[key as keyof OracleConfig]]),
  )
  const filled = (text: string | undefined) => (text?.trim() ? text.trim() : undefined)
  return {
    folder,
    config,
    envFile,
    setting: variable => filled(own(env, variable) ?? own(envFile, variable)) ?? filled(fromConfig.get(variable)),
  }
}

const own = (values: CommandIo['env'], name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const readConfig = async (folder: string): Promise<OracleConfig> => {
  const path = join(folder, configFile)
  const text = (await readProjectFile(path)) ?? ''
  const given = parseJson(text)
  if (given === undefined) {
    throw cliErrors.configuration_invalid(
      `${path} is not valid JSON${placeOfError(text)}.`,
      'Fix the file or restore it from git.',
    )
  }
  const { config, problems } = parseOracleConfig(given)
  const [problem] = problems
  if (problem)
    throw cliErrors.configuration_invalid(`${problem.headline}.`, `${problem.lines.join(' ')} The file: ${path}`)
  return config
}

/** Returns the line of a JSON syntax error, if Node reports it; never its content. */
const placeOfError = (text: string): string => {
  if (text.trim() === '') return ': it is empty'
  try {
    JSON.parse(text)
  } catch (error) {
    const [, position] = /\bat position (\d+)/.exec(String(error)) ?? []
    if (position !== undefined) return `: see line ${text.slice(0, Number(position)).split('\n').length}`
  }
  return ''
}

const readEnvFile = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const text = await readProjectFile(join(folder, '.env'))
  return text === undefined ? {} : envValues(text)
}
