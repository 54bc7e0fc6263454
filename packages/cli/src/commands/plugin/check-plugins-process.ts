// Runs in a project, in a separate process, and loads the packages installed there. Writes its results to file
// descriptor 3, one PluginReport per line. Arguments, each a JSON list: the files to check, and all that may have a
// plugin.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OraclePlugin } from '@sibyl/plugin'
import type * as coreTesting from '@sibyl/testing'
import type { PluginReport } from './plugin-report.ts'

/** Timeout of one check, in milliseconds. */
const limitMs = 30_000

/** A file with the factory of its plugin. */
interface Source {
  readonly file: string
  make(): OraclePlugin
}

const notify = (report: PluginReport): void => {
  writeSync(3, `${JSON.stringify(report)}\n`)
}

const requireHere = createRequire(join(process.cwd(), 'package.json'))

const load = (specifier: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(requireHere.resolve(specifier)).href)

const makerName = (file: string): string =>
  basename(file, extname(file)).replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

const isPlugin = (value: unknown): value is OraclePlugin =>
  typeof value === 'object' && value !== null && 'manifest' in value && 'setup' in value && 'name' in value

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const sourceOf = async (file: string): Promise<Source | undefined> => {
  try {
    const make = (await import(pathToFileURL(resolve(file)).href))[makerName(file)]
    return typeof make === 'function' && isPlugin(make()) ? { file, make } : undefined
  } catch (error) {
    notify({ kind: 'not-loaded', file, trace: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    return undefined
  }
}

/** Returns the factories of the bundled plugins; none if the project has no bundle. */
const bundledMakers = async (): Promise<(() => OraclePlugin)[]> => {
  try {
    const { bundledPlugins } = (await load('@sibyl/bundle')) as { bundledPlugins(): OraclePlugin[] }
    return bundledPlugins().map(
      ({ name }) =>
        () =>
          bundledPlugins().find(plugin => plugin.name === name) as OraclePlugin,
    )
  } catch {
    return []
  }
}

/** Returns the factories of all plugins that a plugin requires, directly or indirectly. */
const requiredBy = (plugin: OraclePlugin, others: readonly (() => OraclePlugin)[]): (() => OraclePlugin)[] => {
  const makers = new Map<string, () => OraclePlugin>()
  const add = ({ requires }: OraclePlugin) => {
    for (const name of requires) {
      const make = others.find(other => other().name === name)
      if (!make || makers.has(name)) continue
      makers.set(name, make)
      add(make())
    }
  }
  add(plugin)
  return [...makers.values()]
}

/** Returns the settings of the project for these plugins; a blank variable that enables a plugin gets its example. */
const envOf = (plugins: readonly OraclePlugin[]): Record<string, string> => {
  const values = plugins.flatMap(({ env, optIn }) =>
    Object.entries(env?.shape ?? {}).map(([name, schema]) => {
      const { example } = (schema as { meta?(): { example?: unknown } | undefined }).meta?.() ?? {}
      return [name, process.env[name]?.trim() || (optIn.includes(name) && typeof example === 'string' ? example : '')]
    }),
  )
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

const within = async (work: Promise<void>): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs / 1_000} s`)), limitMs)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const [asked = '[]', all = '[]'] = process.argv.slice(2)
const { checkPlugin } = (await load('@sibyl/testing')) as typeof coreTesting
const sources: Source[] = []
for (const file of JSON.parse(all) as string[]) {
  // Sequentially, so that one that never ends can be named.
  notify({ kind: 'begins', file, what: 'loads' })
  const source = await sourceOf(file)
  if (source !== undefined) sources.push(source)
}
const makers = [...sources.map(({ make }) => make), ...(await bundledMakers())]

for (const { file, make } of sources.filter(source => (JSON.parse(asked) as string[]).includes(source.file))) {
  const plugin = make()
  notify({ kind: 'plugin', file, name: plugin.name })
  const required = requiredBy(plugin, makers)
  const env = envOf([plugin, ...required.map(other => other())])
  for (const check of checkPlugin(make, { with: required, env })) {
    notify({ kind: 'begins', file, what: check.name })
    const problem = await within(check.run()).then(() => undefined, messageOf)
    notify({ kind: 'check', file, check: check.name, problem })
  }
}
notify({ kind: 'end' })
process.exit(0)
