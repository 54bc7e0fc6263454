import type { Capability, Logger, OraclePlugin, PluginParts } from '@sibyl/plugin'
import { type BootProblem, manifestSchema } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import { switchOff } from '../config/env-problem.ts'
import { issueLines } from '../errors/describe-issues.ts'
import { describeType } from '../errors/describe-value.ts'
import { safeReason } from '../errors/safe-reason.ts'
import { checkExamples, toolHint } from './check-examples.ts'
import { checkRoutes, type RouteAddress, readCoreRoutes } from './check-routes.ts'
import { checkTools } from './check-tools.ts'
import { partShapes } from './part-shapes.ts'
import { isPluginName } from './plugin-name.ts'
import { hintFor, pluginProblem } from './plugin-problem.ts'

export interface CheckPartsRequest {
  /** In the order of setup. */
  readonly plugins: readonly { readonly plugin: OraclePlugin; readonly parts: PluginParts }[]
  readonly coreRoutes: readonly RouteAddress[]
  readonly log: Logger
}

/** Finds the problems of the parts that setups returned, separately and together. Never throws. */
export const checkParts = ({ plugins, coreRoutes, log }: CheckPartsRequest): BootProblem[] => {
  const toolOwners = new Map<string, string>()
  const routes = readCoreRoutes(coreRoutes)
  const capabilityOwners = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.name]))
  return plugins.flatMap(({ plugin, parts }) => {
    const { name } = plugin
    const guarded = (check: () => BootProblem[]): BootProblem[] => {
      try {
        return check()
      } catch (error) {
        log.error("a plugin's parts cannot be read", { plugin: name, error })
        return [partsProblem(name, `has parts that cannot be read`, `Reading them ${safeReason(error)}.`)]
      }
    }
    return [
      ...guarded(() => checkShape(name, parts)),
      ...guarded(() => checkTools(name, parts.tools, toolOwners)),
      ...guarded(() => checkRoutes(name, parts, routes)),
      ...guarded(() => checkCapabilities(name, parts, capabilityOwners)),
      ...guarded(() => checkManifest(plugin, parts)),
    ]
  })
}

const checkShape = (plugin: string, parts: PluginParts): BootProblem[] =>
  Object.entries(parts).flatMap(([key, value]) => {
    const member = Object.hasOwn(partShapes, key) ? partShapes[key as keyof PluginParts] : undefined
    if (!member) {
      const known = Object.keys(partShapes)
      const hint = hintFor(key, known, `Valid parts: ${known.join(', ')}.`)
      return [partsProblem(plugin, `returned the unknown part '${key.slice(0, 60)}'`, hint)]
    }
    if (value === undefined || member.fits(value)) return []
    const line = `It is ${describeType(value)}, not ${member.expected}.`
    return [partsProblem(plugin, `returned an invalid part '${key}'`, line)]
  })

const checkCapabilities = (plugin: string, parts: PluginParts, owners: Map<string, string>): BootProblem[] => {
  if (typeof parts.capabilities !== 'function') return []
  const list: unknown = parts.capabilities()
  if (!Array.isArray(list)) {
    return [partsProblem(plugin, 'returned capabilities that are not a list', `They are ${describeType(list)}.`)]
  }
  return list.flatMap((capability: Capability | null | undefined) => {
    if (typeof capability?.tools !== 'function' || typeof capability.state !== 'function') {
      return [partsProblem(plugin, 'has an invalid capability', 'It needs name, manifest, tools() and state().')]
    }
    const { name, manifest } = capability
    if (typeof name !== 'string' || !isPluginName(name)) {
      const line = 'A name has lower-case letters, digits and single hyphens, at most 40 characters.'
      return [partsProblem(plugin, `has a capability with the invalid name '${String(name).slice(0, 60)}'`, line)]
    }
    const owner = owners.get(name)
    if (owner !== undefined) return [capabilityTaken(name, owner, plugin)]
    owners.set(name, plugin)
    const read = manifestSchema.safeParse(manifest)
    if (read.success) return []
    const line = issueLines(read.error.issues).join('; ')
    return [partsProblem(plugin, `has an invalid manifest for its capability '${name}'`, line)]
  })
}

const capabilityTaken = (name: string, owner: string, plugin: string): BootProblem => ({
  code: 'capability_name_taken',
  headline:
    owner === plugin
      ? `Plugin '${plugin}' has two capabilities with the name '${name}'`
      : `Plugins '${owner}' and '${plugin}' both have the capability name '${name}'`,
  lines: [`Rename one of them, or disable a plugin, such as ${switchOff(plugin)}`],
  plugin,
})

/** Checks the tools that the manifest names. */
const checkManifest = ({ name, manifest }: OraclePlugin, { tools, capabilities }: PluginParts): BootProblem[] => {
  const fixed = isObject(tools) ? (tools as Readonly<Record<string, unknown>>) : {}
  const mayHave = typeof tools === 'function' || typeof capabilities === 'function'
  return [
    ...checkExamples(name, manifest.examples ?? [], fixed, () => mayHave),
    ...checkApprovals(name, manifest.approvals ?? [], fixed, mayHave),
  ]
}

const partsProblem = (plugin: string, violation: string, line: string): BootProblem =>
  pluginProblem({ code: 'plugin_parts_invalid', plugin }, violation, line)

/**
 * Checks that the `approvals` of a manifest name tools of that plugin, as far as possible without a turn: a mistyped
 * one would run without approval.
 *
 * @param tools The fixed tools by name.
 * @param mayHave Whether the plugin may have further tools, known only in a turn.
 */
const checkApprovals = (
  plugin: string,
  approvals: readonly string[],
  tools: Readonly<Record<string, unknown>>,
  mayHave: boolean,
): BootProblem[] => {
  if (mayHave) return []
  return approvals
    .filter(name => name !== '*' && !Object.hasOwn(tools, name))
    .map(name => {
      const violation = `has an approval for the unknown tool '${name.slice(0, 80)}' (manifest.approvals)`
      return pluginProblem({ code: 'manifest_approvals_invalid', plugin }, violation, toolHint(name, tools))
    })
}
