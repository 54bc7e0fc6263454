import type { EnvSchema } from '@sibyl/plugin'
import { envMeta } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { coreEnvSchema } from './core-env.ts'
import { type Environment, settingOf } from './environment.ts'
import { passwordOf } from './secret-values.ts'

export interface FileVariablesRequest {
  readonly env: Environment
  /** The variables of every plugin, including excluded ones. */
  readonly schemas: readonly EnvSchema[]
  /** Called with each value that is secret from now on. */
  addSecret(value: string): void
}

/**
 * Creates a reader of variables that a file of the operator names, such as `${NOTES_TOKEN}`. Files cannot read
 * variables that core or a plugin declares as secret, or with a password in a URL. Declared variables that are not
 * secret stay public; every other value becomes secret.
 */
export const fileVariables = ({ env, schemas, addSecret }: FileVariablesRequest) => {
  const declared = [coreEnvSchema, ...schemas]
  return (name: string): string | undefined => {
    const value = settingOf(env, name)
    if (value === undefined) return undefined
    const owners = declared.filter(({ shape }) => Object.hasOwn(shape, name))
    if (owners.length === 0) addSecret(value)
    else if (owners.some(schema => isSecret(schema, name, value))) return undefined
    return value
  }
}

const isSecret = ({ shape }: EnvSchema, name: string, value: string): boolean =>
  envMeta(name, shape[name] as z.ZodType).secret || passwordOf(value).length > 0
