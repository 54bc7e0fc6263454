import type { OraclePlugin } from '@sibyl/plugin'
import type { OracleInspection } from '../records/oracle-inspection.ts'
import { listEnvVariables } from './env-reference.ts'
import { type Environment, settingOf } from './environment.ts'
import { configVariables, type OracleConfig } from './oracle-config.ts'

type InspectedVariable = OracleInspection['variables'][number]

/** Returns every variable of core and of these plugins, and the source of its value; never the value. */
export const inspectedVariables = (
  plugins: readonly OraclePlugin[],
  env: Environment,
  config: OracleConfig,
): InspectedVariable[] => {
  const keys = Object.entries(configVariables) as [keyof typeof configVariables, string][]
  const inConfig = new Set(keys.flatMap(([key, variable]) => (config[key]?.trim() ? [variable] : [])))
  const originOf = (name: string, hasDefault: boolean): InspectedVariable['from'] => {
    if (settingOf(env, name) !== undefined) return 'environment'
    if (inConfig.has(name)) return 'config'
    return hasDefault ? 'default' : 'nowhere'
  }
  return listEnvVariables(plugins).map(variable => ({
    ...variable,
    from: originOf(variable.name, variable.default !== undefined),
  }))
}
