import { type EnvSchema, envMeta } from '@sibyl/plugin'
import type { z } from 'zod'
import { coreEnvSchema } from './core-env.ts'
import { type Environment, settingOf } from './environment.ts'
import { passwordOf } from './secret-values.ts'

/** What `fileVariables` takes. */
export interface FileVariablesRequest {
  readonly env: Environment
  /** The variables of every plugin, also of those that are left out. */
  readonly schemas: readonly EnvSchema[]
  /** Told of each value that is a secret from now on. */
  addSecret(value: string): void
}

/**
 * Makes what reads a variable that a file of the operator's names, such as `${NOTES_TOKEN}`. What core or a plugin declares
 * as a secret, or with a password in its URL, is for no file. What they declare and is none is no secret here either; every
 * other value is one from then on.
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
