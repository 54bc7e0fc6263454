import { type Manifest, nearNames, type OraclePlugin } from '@sibyl/plugin'
import { type BootProblem, manifestSchema, withoutUndefined } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import type { z } from 'zod'
import { envProblem, switchOff } from '../config/env-problem.ts'
import { envRemedy } from '../config/env-remedy.ts'
import { type Environment, environmentOf, settingOf } from '../config/environment.ts'
import { issueLines } from '../errors/describe-issues.ts'
import { describeType } from '../errors/describe-value.ts'
import { orderPlugins } from './order-plugins.ts'
import type { OutdatedRange } from './outdated-ranges.ts'
import { hintFor, pluginProblem } from './plugin-problem.ts'
import { readPlugin } from './read-plugin.ts'
import { inRange } from './semver-range.ts'

/** Options of `resolvePlugins`. Their types are not trusted. */
export interface ResolveRequest {
  readonly plugins: readonly OraclePlugin[]
  /** Chosen by ORACLE_ADAPTERS. */
  readonly adapters?: readonly OraclePlugin[]
  /** `{ name: false }` disables a plugin, `{ name: true }` requires it. */
  readonly features?: Readonly<Record<string, boolean>>
  /** Overrides the manifests of plugins by name; a given member replaces that of the plugin. */
  readonly manifestOverrides?: Readonly<Record<string, Partial<Manifest>>>
  readonly env: Environment
  /** The version of core, for the `core` ranges of plugins. */
  readonly coreVersion: string
  /** Returns the lines of the project that exclude this version; for the remedy. */
  readonly outdated?: () => readonly OutdatedRange[]
}

/** A plugin that is disabled by `features`, ORACLE_ADAPTERS or its switch, or by a blank opt-in variable. */
export interface ExcludedPlugin {
  readonly plugin: OraclePlugin
  /** `features`, `opt-in`, ORACLE_ADAPTERS, or the variable of its switch. */
  readonly reason: string
  /** With `opt-in`: the first blank one. */
  readonly variable?: string
}

/** The resolved plugins. With problems, the list contains the valid ones. */
export interface Resolution {
  /** In dependency order, otherwise in the order of the list; with overridden manifests. */
  readonly ordered: readonly OraclePlugin[]
  readonly excluded: readonly ExcludedPlugin[]
  /** Parts of core, which are in no other list. */
  readonly partsOfCore: readonly OraclePlugin[]
  readonly problems: readonly BootProblem[]
}

/** Selects and orders the plugins, and finds all their problems. Pure. */
export const resolvePlugins = (request: ResolveRequest): Resolution => {
  const chosen = chooseAdapters(request.adapters ?? [], request.env)
  const { plugins, problems } = distinctPlugins(request.plugins, chosen.adapters)
  problems.push(...chosen.problems)
  const names = plugins.map(({ name }) => name)
  const features = settingsByName('features', request.features, names, problems)
  const overrides = settingsByName('manifestOverrides', request.manifestOverrides, names, problems)
  const excluded: ExcludedPlugin[] = [...chosen.excluded]
  const taking: OraclePlugin[] = []
  for (const plugin of plugins) {
    const exclusion = exclude(plugin, ownValue(features, plugin.name), request.env, problems)
    if (exclusion) excluded.push(exclusion)
    else taking.push(checked(plugin, ownValue(overrides, plugin.name), request, problems))
  }
  problems.push(...missingDependencies(taking, excluded, names))
  const partsOfCore = chosen.partsOfCore.map(part => checked(part, undefined, request, problems))
  const order = orderPlugins(taking)
  return { ordered: order.ordered, excluded, partsOfCore, problems: [...problems, ...order.problems] }
}

/** Returns the plugins of the list, one per name: a plugin of the user replaces the bundled one. */
const distinctPlugins = (
  list: unknown,
  adapters: readonly OraclePlugin[],
): { plugins: OraclePlugin[]; problems: BootProblem[] } => {
  if (!Array.isArray(list)) {
    const lines = [`It is ${describeType(list)}. Pass a list: plugins: [weather()].`]
    return { plugins: [], problems: [{ code: 'plugin_invalid', headline: 'plugins is not a list', lines }] }
  }
  const problems: BootProblem[] = []
  const byName = new Map<string, OraclePlugin>()
  for (const [position, entry] of [...list, ...adapters].entries()) {
    const result = readPlugin(entry, position)
    if ('problem' in result) {
      problems.push(result.problem)
      continue
    }
    const { plugin } = result
    const other = byName.get(plugin.name)
    if (!other || (other.bundled && !plugin.bundled)) byName.set(plugin.name, plugin)
    else if (Boolean(other.bundled) === Boolean(plugin.bundled)) problems.push(nameTaken(other, plugin))
  }
  return { plugins: [...byName.values()], problems }
}

const nameTaken = (one: OraclePlugin, other: OraclePlugin): BootProblem => ({
  code: 'plugin_name_taken',
  headline: `Two plugins are named '${one.name}' (versions ${one.version} and ${other.version})`,
  lines: ['Remove one of them from plugins, or rename it.'],
  plugin: one.name,
})

/** Returns `features` or `manifestOverrides` as an object, and reports unknown names. */
const settingsByName = (
  setting: 'features' | 'manifestOverrides',
  value: unknown,
  names: readonly string[],
  problems: BootProblem[],
): Readonly<Record<string, unknown>> => {
  if (value === undefined) return {}
  const violation = (headline: string, line: string) =>
    problems.push({
      code: `${setting === 'features' ? 'features' : 'manifest_overrides'}_invalid`,
      headline,
      lines: [line],
    })
  if (!isObject(value)) {
    violation(
      `${setting} is not an object`,
      `It is ${describeType(value)}. Set it by plugin name: ${setting}: { ${setting === 'features' ? 'weather: false' : "weather: { load: 'always' }"} }.`,
    )
    return {}
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!names.includes(name)) {
      const hint = hintFor(name, names, `There are: ${names.join(', ') || 'none'}.`)
      violation(`${setting} has the unknown plugin '${name.slice(0, 60)}'`, hint)
    } else if (setting === 'features' && typeof entry !== 'boolean') {
      violation(
        `features has neither true nor false for '${name}'`,
        `It is ${describeType(entry)}. Write features: { ${name}: true } in createOracleApp.`,
      )
    }
  }
  return Object.fromEntries(Object.entries(value))
}

/** Returns the setting of a plugin; safe for a name such as `constructor`. */
const ownValue = (settings: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(settings, name) ? settings[name] : undefined

const exclude = (
  plugin: OraclePlugin,
  feature: unknown,
  env: Environment,
  problems: BootProblem[],
): ExcludedPlugin | undefined => {
  if (feature === false) return { plugin, reason: 'features' }
  const blank = plugin.optIn.filter(variable => settingOf(env, variable) === undefined)
  if (blank.length === 0) return undefined
  if (feature !== true) return { plugin, reason: 'opt-in', variable: blank[0]! }
  for (const variable of blank) {
    const schema = plugin.env?.shape[variable]
    const use = schema ? envRemedy(variable, schema as never) : undefined
    const violation = 'is not set, and features enables the plugin'
    problems.push(envProblem({ owner: { plugin: plugin.name }, variable, fault: violation, use }))
  }
  return undefined
}

/** Returns the plugin with its overridden manifest, and reports problems of its manifest and its range of core. */
const checked = (
  plugin: OraclePlugin,
  override: unknown,
  { coreVersion, outdated }: ResolveRequest,
  problems: BootProblem[],
): OraclePlugin => {
  const fits = inRange(coreVersion, plugin.core)
  if (!fits) {
    const { name, version, core } = plugin
    const violation = `${version} requires core ${core}, and this is core ${coreVersion}`
    const line =
      fits === undefined
        ? "The range is invalid; write one such as '^0.1.0'."
        : `${newRange(plugin, coreVersion, outdated?.())}, or disable it: ${switchOff(name)}`
    problems.push(pluginProblem({ code: 'plugin_core_mismatch', plugin: name }, violation, line))
  }
  const own = manifestSchema.safeParse(plugin.manifest)
  if (!own.success) {
    problems.push(manifestInvalid(plugin.name, 'has an invalid manifest', own.error))
    return plugin
  }
  if (override === undefined) return plugin
  const change = manifestSchema.partial().strict().safeParse(override)
  if (!change.success) {
    problems.push(manifestInvalid(plugin.name, 'has an invalid entry in manifestOverrides', change.error))
    return plugin
  }
  return { ...plugin, manifest: { ...own.data, ...withoutUndefined(change.data) } }
}

/** Returns the remedy for a plugin of another core: the line to change for one of the project itself. */
const newRange = (
  { name, core }: OraclePlugin,
  coreVersion: string,
  outdated: readonly OutdatedRange[] = [],
): string => {
  const own = outdated.find(({ plugin, range }) => plugin === name && range === core)
  if (own === undefined) return 'Install a version of the plugin for this core'
  return `If it works with this core, write core: '^${coreVersion}' in ${own.path}:${own.line}`
}

const manifestInvalid = (plugin: string, violation: string, { issues }: z.ZodError): BootProblem =>
  pluginProblem({ code: 'manifest_invalid', plugin }, violation, ...issueLines(issues.slice(0, 10)))

const missingDependencies = (
  taking: readonly OraclePlugin[],
  excluded: readonly ExcludedPlugin[],
  names: readonly string[],
): BootProblem[] =>
  taking.flatMap(({ name, requires }) =>
    requires
      .filter(wanted => !taking.some(other => other.name === wanted))
      .map(wanted => {
        const exclusion = excluded.find(({ plugin }) => plugin.name === wanted)
        const problem = { code: 'plugin_requirement_missing', plugin: name }
        if (!exclusion) {
          const near = nearNames(wanted, names)
          const hint = near.length > 0 ? ` (did you mean ${near.join(' or ')}?)` : ''
          const lines = [`Add '${wanted}' to plugins${hint}, or switch '${name}' off: ${switchOff(name)}`]
          return { ...problem, headline: `Plugin '${name}' requires '${wanted}', which is not in plugins`, lines }
        }
        const { variable } = exclusion
        const why = variable ? `because ${variable} is blank` : 'by features'
        const remedy = variable ? `Set ${variable} in .env` : `Remove '${wanted}' from features in createOracleApp`
        return {
          ...problem,
          headline: `Plugin '${name}' requires '${wanted}', which is excluded ${why}`,
          lines: [`${remedy}, or disable '${name}' as well: ${switchOff(name)}`],
        }
      }),
  )

/** The adapters that take part, and those that ORACLE_ADAPTERS leaves out. */
interface ChosenAdapters {
  readonly adapters: readonly OraclePlugin[]
  /** One of each name, the last. */
  readonly partsOfCore: readonly OraclePlugin[]
  readonly excluded: readonly { readonly plugin: OraclePlugin; readonly reason: string }[]
  readonly problems: readonly BootProblem[]
}

/**
 * Chooses adapters by ORACLE_ADAPTERS: the listed ones. Unset, it stands for all of them in development and for none elsewhere;
 * `none` stands for none. An adapter with a switch of its own is chosen by that variable alone.
 */
const chooseAdapters = (given: readonly OraclePlugin[], env: Environment): ChosenAdapters => {
  const parts = given.filter(adapter => adapter?.isPartOfCore)
  const all = given
    .filter(adapter => !adapter?.isPartOfCore)
    .map((adapter): OraclePlugin => ({ ...adapter, isAdapter: true }))
  const names = all.flatMap(adapter => (adapter.switch === undefined ? adapter.name : []))
  const setting = settingOf(env, 'ORACLE_ADAPTERS')
  const isDevelopment = environmentOf(settingOf(env, 'NODE_ENV')) === 'development'
  const listed = setting === undefined ? (isDevelopment ? names : []) : adapterNames(setting)
  const unknown = listed.filter(name => !names.includes(name))
  const isOn = (adapter: OraclePlugin) =>
    adapter.switch === undefined
      ? listed.includes(adapter.name)
      : (settingOf(env, adapter.switch) ?? (isDevelopment ? 'on' : 'off')) !== 'off'
  return {
    adapters: all.filter(isOn),
    partsOfCore: [...new Map(parts.map(part => [part.name, part])).values()],
    excluded: all
      .filter(adapter => !isOn(adapter))
      .map(plugin => ({ plugin, reason: plugin.switch ?? 'ORACLE_ADAPTERS' })),
    problems: unknown.map(name => unknownAdapter(name, names)),
  }
}

const adapterNames = (setting: string): readonly string[] =>
  setting === 'none' ? [] : setting.split(/[\s,]+/).filter(Boolean)

const unknownAdapter = (name: string, names: readonly string[]): BootProblem => {
  const hint =
    names.length === 0
      ? 'createOracleApp has no adapters. Pass adapters: bundledAdapters().'
      : hintFor(name, names, `Available: ${names.join(', ')}.`)
  return {
    code: 'adapter_unknown',
    headline: `ORACLE_ADAPTERS names the unknown adapter '${name.slice(0, 60)}'`,
    lines: [hint],
    variable: 'ORACLE_ADAPTERS',
  }
}
