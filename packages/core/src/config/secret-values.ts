import type { EnvSchema } from '@sibyl/plugin'
import { envMeta } from '@sibyl/plugin/host'
import { secretsInHeaders } from '@sibyl/telemetry'
import type { z } from 'zod'
import { secretsInApiKeys } from './api-keys.ts'
import { type Environment, settingOf } from './environment.ts'

/** Returns the values that are never shown: those of secret variables, and passwords in URLs. */
export const secretValues = (schema: EnvSchema, env: Environment): string[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = settingOf(env, name)
    if (value === undefined) return []
    return envMeta(name, field as z.ZodType).secret ? [value] : passwordOf(value)
  })

/** Returns the header values for the collector of traces and the model server. */
export const headerSecrets = (env: Environment): string[] =>
  ['OTEL_EXPORTER_OTLP_HEADERS', 'OPENAI_EXTRA_HEADERS'].flatMap(name => secretsInHeaders(settingOf(env, name) ?? ''))

/** Returns each key of every list such as `ENTITIES_API_KEYS`. */
export const listedKeys = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.endsWith('_API_KEYS'))
    .flatMap(name => secretsInApiKeys(settingOf(env, name) ?? ''))

/** Returns the password of a URL, encoded and decoded, if any. */
export const passwordOf = (value: string): string[] => {
  // A URL of a socket has a user, and no host.
  const whole = value.replace(/^([a-z]+:\/\/[^@/?#]*@)(?=[/?])/i, '$1localhost')
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url?.password) return []
  return [...new Set([url.password, safeDecode(url.password)])]
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
