import type { EnvSchema, OraclePlugin } from '@sibyl/plugin'
import { type BootProblem, envMeta } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { describeType } from '../errors/describe-value.ts'
import { type CoreEnv, completeCoreEnv, coreEnvSchema } from './core-env.ts'
import { type EnvOwner, envProblem } from './env-problem.ts'
import { envRemedy } from './env-remedy.ts'
import { type Environment, isKnownEnvironment, isQuoted, settingOf } from './environment.ts'
import { issueViolation } from './issue-violation.ts'
import { configVariables, type OracleConfig } from './oracle-config.ts'
import { parseOracleConfig } from './parse-oracle-config.ts'
import { headerSecrets, listedKeys, secretValues } from './secret-values.ts'

/** The parsed variables of one plugin. */
export type PluginEnv = Readonly<Record<string, unknown>>

export interface LoadEnvRequest {
  readonly env: Environment
  /** The content of `oracle.config.json`. */
  readonly config?: unknown
  /** The plugins to set up, in the order of `resolvePlugins`. */
  readonly plugins?: readonly OraclePlugin[]
}

/** The valid settings, and all problems. */
export interface LoadedEnv {
  /** Always complete: an invalid variable has its default. */
  readonly core: CoreEnv
  readonly config: OracleConfig
  /** By plugin name; a plugin with invalid variables is missing. */
  readonly plugins: ReadonlyMap<string, PluginEnv>
  /** Every problem, those of core first. */
  readonly problems: readonly BootProblem[]
  /** Remarks on valid settings. */
  readonly remarks: readonly string[]
  /** The secret values among the settings, for redaction. */
  readonly secrets: readonly string[]
}

/**
 * Reads the settings: from the environment, then the config, then the defaults of each schema. Values are trimmed, and
 * blank ones count as unset. If two plugins declare one variable, each parses it; an invalid one of core is reported once.
 * ORACLE_MNEMONIC is reserved for core.
 */
export const loadEnv = ({ env, config, plugins = [] }: LoadEnvRequest): LoadedEnv => {
  const readConfig = parseOracleConfig(config)
  const core = parseCore(env, readConfig.config)
  const problems = [...readConfig.problems, ...core.problems]
  const ofCore = new Set(core.problems.map(({ variable }) => variable))
  const parsed = new Map<string, PluginEnv>()
  const secrets = new Set([...secretValues(coreEnvSchema, env), ...listedKeys(env), ...headerSecrets(env)])
  for (const { name, env: schema } of plugins) {
    if (!schema) {
      parsed.set(name, {})
      continue
    }
    for (const secret of secretValues(schema, env)) secrets.add(secret)
    const result = parsePluginEnv(name, schema, env)
    if (Array.isArray(result))
      problems.push(...result.filter(({ variable }) => variable === undefined || !ofCore.has(variable)))
    else parsed.set(name, result as PluginEnv)
  }
  const known = [coreEnvSchema, ...plugins.flatMap(plugin => plugin.env ?? [])].flatMap(schema =>
    Object.keys(schema.shape),
  )
  const remarks = envRemarks(env, [...new Set(known)])
  return { core: core.env, config: readConfig.config, plugins: parsed, problems, remarks, secrets: [...secrets] }
}

const parseCore = (env: Environment, config: OracleConfig): { env: CoreEnv; problems: BootProblem[] } => {
  const values = settings(coreEnvSchema, env)
  const origins = new Map<string, string>()
  for (const [key, variable] of Object.entries(configVariables)) {
    const value = config[key as keyof typeof configVariables]?.trim()
    if (values[variable] !== undefined || !value) continue
    values[variable] = value
    origins.set(variable, key)
  }
  const result = coreEnvSchema.safeParse(values)
  if (result.success) return { env: completeCoreEnv(result.data), problems: [] }
  const problems = issuesOf(result.error, 'core', coreEnvSchema, values, origins)
  for (const { variable } of problems) if (variable) delete values[variable]
  return { env: completeCoreEnv(coreEnvSchema.parse(values)), problems }
}

const parsePluginEnv = (name: string, schema: EnvSchema, env: Environment): PluginEnv | BootProblem[] => {
  const owner = { plugin: name }
  if (Object.hasOwn(schema.shape, 'ORACLE_MNEMONIC')) {
    const violation = 'is reserved for core; a plugin signs with host.identity'
    return [envProblem({ owner, variable: 'ORACLE_MNEMONIC', fault: violation })]
  }
  try {
    const values = settings(schema, env)
    const result = schema.safeParse(values)
    return result.success ? result.data : issuesOf(result.error, owner, schema, values)
  } catch (error) {
    const variable = Object.keys(schema.shape).join(', ')
    const violation = `its schema failed with ${error instanceof Error ? error.name : describeType(error)}`
    return [envProblem({ owner, variable, fault: violation })]
  }
}

/** Returns the settings of a schema that are set. */
const settings = (schema: EnvSchema, env: Environment): Record<string, string> => {
  const values: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = settingOf(env, name)
    if (value !== undefined) values[name] = value
  }
  return values
}

const issuesOf = (
  error: z.ZodError,
  owner: EnvOwner,
  schema: EnvSchema,
  values: Readonly<Record<string, string>>,
  origins: ReadonlyMap<string, string> = new Map(),
): BootProblem[] => {
  const problems = new Map<string, BootProblem>()
  for (const issue of error.issues) {
    const key = issue.path[0]
    const variable = key === undefined ? Object.keys(schema.shape).join(', ') : String(key)
    if (problems.has(variable)) continue
    const field = schema.shape[variable] as z.ZodType | undefined
    const configKey = origins.get(variable)
    problems.set(
      variable,
      envProblem({
        owner,
        variable,
        fault: issueViolation(
          issue,
          key === undefined ? values : values[variable],
          field === undefined || envMeta(variable, field).secret,
        ),
        namesAlternatives: issue.code === 'invalid_value',
        ...(field ? { use: envRemedy(variable, field) } : {}),
        ...(configKey ? { configKey } : {}),
      }),
    )
  }
  return [...problems.values()]
}

/** Returns remarks on settings that are valid, but may not be what was meant. */
const envRemarks = (env: Environment, known: readonly string[]): string[] => {
  const quoted = known.filter(name => isQuoted(String(env[name] ?? '').trim()))
  const environment = settingOf(env, 'NODE_ENV')
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find(
    name => settingOf(env, name) !== undefined,
  )
  return [
    ...(quoted.length === 0
      ? []
      : [
          `the quotes around ${quoted.join(', ')} do not count as a part of the value; docker --env-file passes them on`,
        ]),
    ...(environment === undefined || isKnownEnvironment(environment)
      ? []
      : [
          `NODE_ENV '${environment.slice(0, 40)}' is unknown and counts as production; set development, test or production`,
        ]),
    ...(proxy === undefined || usesProxy() || (settingOf(env, 'NODE_USE_ENV_PROXY') ?? '0') !== '0'
      ? []
      : [`${proxy} is set, but requests do not use it; set NODE_USE_ENV_PROXY=1 in the environment of the process`]),
  ]
}

/** Whether Node was started with an option that makes it use proxies. */
const usesProxy = (): boolean =>
  [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)].includes('--use-env-proxy')
