import type { EnvSchema, Manifest, OraclePlugin } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import { z } from 'zod'
import { issueLines } from '../errors/describe-issues.ts'
import { describeType } from '../errors/describe-value.ts'
import { isPluginName } from './plugin-name.ts'
import { isVersion } from './semver-range.ts'

type Read = { readonly plugin: OraclePlugin } | { readonly problem: BootProblem }

const isFunction = (value: unknown): boolean => typeof value === 'function'

const pluginShape = z.object({
  name: z
    .string()
    .refine(isPluginName, 'must be lower case letters, digits and single hyphens, not `core`, `sibyl` or `sessions`'),
  version: z.string().refine(isVersion, "must be a version such as '0.1.0'"),
  core: z.string().min(1, "must be a range of versions such as '^0.1.0'"),
  manifest: z.custom<Manifest>(value => typeof value === 'object' && value !== null, 'must be an object'),
  env: z.custom<EnvSchema>(isEnvSchema, 'must be a zod object, made by z.object').optional(),
  optIn: z.array(z.string()).default([]),
  switch: z.string().optional(),
  requires: z.array(z.string()).default([]),
  uses: z.array(z.string()).default([]),
  migrations: z
    .record(z.string(), z.custom<OraclePlugin['migrations'][string]>(isFunction, 'must be a function'))
    .default({}),
  afterMove: z
    .custom<NonNullable<OraclePlugin['afterMove']>>(
      value => isObject(value) && isFunction(value.run),
      'must have run()',
    )
    .optional(),
  ownedFiles: z.custom<NonNullable<OraclePlugin['ownedFiles']>>(isFunction, 'must be a function').optional(),
  isAdapter: z.literal(true).optional(),
  bundled: z.literal(true).optional(),
})

/** Returns whether a value is a zod object schema, from any copy of zod. */
function isEnvSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('_zod' in value)) return false
  return (value as EnvSchema)._zod.def?.type === 'object'
}

/**
 * Reads one entry of the `plugins` list, of any type.
 *
 * @param position Its index in the list, which identifies it if it has no name.
 */
export const readPlugin = (value: unknown, position: number): Read => {
  try {
    return read(value, position)
  } catch (error) {
    return { problem: notAPlugin(`plugins[${position}]`, `reading it failed with ${nameOf(error)}.`) }
  }
}

const read = (value: unknown, position: number): Read => {
  const place = `plugins[${position}]`
  if (typeof value === 'function') {
    const name = /^[a-z]\w*$/i.test(value.name) ? value.name : 'plugin'
    return { problem: notAPlugin(place, `It is a function: call it, as in plugins: [${name}()].`) }
  }
  if (value instanceof Promise) return { problem: notAPlugin(place, 'It is a promise: await it first.') }
  if (!isObject(value)) {
    const hint = Array.isArray(value) ? ' Spread it: plugins: [...list].' : ''
    return { problem: notAPlugin(place, `It is ${describeType(value)}.${hint}`) }
  }
  const source = value as unknown as OraclePlugin
  const called = typeof source.name === 'string' && isPluginName(source.name) ? source.name : undefined
  const title = called ? `Plugin '${called}'` : place
  if (typeof source.setup !== 'function') return { problem: notAPlugin(title, 'It has no setup function.', called) }
  const result = pluginShape.safeParse(value)
  if (!result.success) {
    return { problem: notAPlugin(title, `${issueLines(result.error.issues).join('. ')}.`, called) }
  }
  const { env, bundled, isAdapter, ...rest } = result.data
  const marks = { ...(bundled ? { bundled } : {}), ...(isAdapter ? { isAdapter } : {}) }
  const plugin = { ...rest, env, ...marks, setup: source.setup.bind(source) }
  return { plugin }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : describeType(error))

const notAPlugin = (title: string, violation: string, plugin?: string): BootProblem => ({
  code: 'plugin_invalid',
  headline: `${title} is not a plugin`,
  lines: [violation, 'Make it with definePlugin; docs/guide/write-a-plugin.md shows how.'],
  ...(plugin ? { plugin } : {}),
})
