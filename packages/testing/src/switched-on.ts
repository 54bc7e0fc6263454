import type { OraclePlugin } from '@sibyl/plugin'
import { envMeta } from '@sibyl/plugin/host'
import type { z } from 'zod'

/** An address of this computer without a listener. */
const unreachable = 'http://127.0.0.1:1'

const digits = 'ab'.repeat(32)

/** Returns values to try for a variable, until its schema accepts one. */
const valuesToTry = (name: string, field: z.ZodType): string[] => {
  const { example, secret } = envMeta(name, field)
  return secret ? [digits] : ['embedded:', unreachable, ...(example === undefined ? [] : [example]), digits]
}

const accepted = (name: string, field: z.ZodType): string | undefined =>
  valuesToTry(name, field).find(value => field.safeParse(value).success)

/**
 * Returns the fewest variables that enable plugins, from their schemas: for each opt-in variable `embedded:`, else an
 * address without a listener, else its example, else 64 hexadecimal digits; then other required variables.
 *
 * @throws Error when a schema accepts none of these; it names the plugin and the missing variable
 * @example await using oracle = await testApp({ plugins: bundledPlugins(), env: switchedOn(bundledPlugins()) })
 */
export const switchedOn = (
  plugins: readonly OraclePlugin[],
  given: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const env: Record<string, string> = { ...given }
  for (const { name, env: schema, optIn } of plugins) {
    if (!schema) continue
    const own = Object.fromEntries(Object.entries(given).filter(([variable]) => variable in schema.shape))
    const fill = (variable: string): boolean => {
      const field = schema.shape[variable] as z.ZodType | undefined
      const value = field && own[variable] === undefined ? accepted(variable, field) : undefined
      if (value !== undefined) own[variable] = value
      return value !== undefined
    }
    for (const variable of optIn) fill(variable)
    for (let read = schema.safeParse(own); !read.success; read = schema.safeParse(own)) {
      const missing = read.error.issues
        .map(({ path }) => String(path[0]))
        .filter(variable => own[variable] === undefined)
      if (missing.length === 0) break
      if (!missing.map(fill).some(Boolean)) {
        throw new Error(`Nothing that was tried switches '${name}' on: ${missing.join(', ')}. Give these examples.`)
      }
    }
    Object.assign(env, own)
  }
  return env
}
