import type { EnvSchema, OraclePlugin } from '@sibyl/plugin'
import { envDefault, envMeta } from '@sibyl/plugin/host'
import type { z } from 'zod'
import type { OracleInspection } from '../records/oracle-inspection.ts'
import { coreEnvSchema } from './core-env.ts'
import { describeSchema } from './describe-schema.ts'

/** A variable as the documentation shows it. */
export type EnvVariable = Omit<OracleInspection['variables'][number], 'from'>

/**
 * Lists every variable of core and of these plugins once, from their schemas alone: the one source of docs/reference/env.md,
 * `.env.example` and `sibyl env`. One that core and plugins share is with core.
 */
export const listEnvVariables = (plugins: readonly OraclePlugin[] = []): EnvVariable[] => [
  ...variablesOf('core', coreEnvSchema, []),
  ...plugins.flatMap(({ name, env, optIn }) => (env ? variablesOf(name, env, optIn) : [])).filter(isOfPlugin),
]

const isOfPlugin = ({ name }: EnvVariable): boolean => !Object.hasOwn(coreEnvSchema.shape, name)

const variablesOf = (owner: string, schema: EnvSchema, optIn: readonly string[]): EnvVariable[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const variable = field as z.ZodType
    const { description, example, defaultText, secret } = envMeta(name, variable)
    const value = defaultText ?? showDefault(envDefault(variable))
    const isRequired = variable._zod.optin === undefined
    return {
      name,
      owner,
      description,
      takes: describeSchema(variable),
      need: optIn.includes(name) ? 'opt-in' : isRequired ? 'required' : 'optional',
      default: value,
      example,
      secret,
    }
  })

const showDefault = (value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
