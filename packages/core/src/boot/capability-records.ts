import type { OraclePlugin } from '@sibyl/plugin'
import type { HostCapability } from '@sibyl/plugin/host'
import type { CapabilityRecord } from '@sibyl/protocol'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { PluginRecord, PluginState } from '../plugins/plugin-status.ts'
import type { AdapterRecord } from '../records/oracle-records.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'

const states: Readonly<Record<PluginState, CapabilityRecord['state']>> = {
  loaded: 'ready',
  available: 'ready',
  pending: 'pending',
  degraded: 'degraded',
  failed: 'failed',
  excluded: 'excluded',
}

/** Public reasons of states; names of variables and errors are for the operator. */
const plainReasons: Partial<Readonly<Record<PluginState, string>>> = {
  pending: 'It is starting.',
  degraded: 'It is degraded.',
  failed: 'It failed to start.',
  excluded: 'It is disabled in this oracle.',
}

/** Returns the adapters, with the path of each that is on. */
export const adapterRecords = (
  plugins: readonly PluginRecord[],
  ready: readonly ReadyPlugin[],
  forWhom: 'operator' | 'public',
): AdapterRecord[] =>
  plugins
    .filter(({ isAdapter, name, plugin }) => isAdapter && name === plugin)
    .map(record => {
      const { name, version, manifest, state } = record
      const endpoint = ready.find(one => one.plugin.name === name)?.parts.endpoint
      const reason = reasonOf(record, forWhom)
      return {
        name,
        version,
        title: manifest.title,
        summary: manifest.summary,
        state: states[state],
        reason,
        endpoint,
      }
    })

const reasonOf = ({ state, reason }: PluginRecord, forWhom: 'operator' | 'public'): string | undefined =>
  forWhom === 'operator' && reason !== undefined ? reason : plainReasons[state]

/**
 * Returns the capabilities in the response of `GET /capabilities`: every plugin and capability with its state, tools and token cost.
 *
 * @param forWhom The operator gets the full reasons.
 */
export const capabilityRecords = (
  plugins: readonly PluginRecord[],
  catalog: CapabilityCatalog,
  forWhom: 'operator' | 'public',
): CapabilityRecord[] => {
  const entries = new Map(catalog.entries().map(entry => [entry.name, entry]))
  const offered = plugins.filter(({ isAdapter }) => !isAdapter)
  return offered.map(record => {
    const { name, plugin, version, manifest, mode, state } = record
    const entry = entries.get(name)
    const tools = entry?.fixedTools ?? {}
    const reason = reasonOf(record, forWhom)
    return {
      name,
      plugin,
      version,
      title: manifest.title,
      summary: manifest.summary,
      mode,
      state: states[state],
      reason,
      tags: manifest.tags ?? [],
      tools: Object.keys(tools),
      ...(entry && !entry.isFixed ? { toolsVary: true } : {}),
      tokens: entry ? catalog.tokens(tools, entry) : 0,
    }
  })
}

/** Returns what the agent can use, without adapters and their capabilities. */
export const hostCapabilities = (catalog: CapabilityCatalog, plugins: readonly OraclePlugin[]): HostCapability[] => {
  const adapters = new Set(plugins.flatMap(({ name, isAdapter }) => (isAdapter ? name : [])))
  return catalog
    .entries()
    .filter(({ owner }) => !adapters.has(owner))
    .map(({ name, manifest: { title, summary, whenToUse, tags = [], examples = [] } }) => ({
      name,
      title,
      summary,
      whenToUse,
      tags,
      examples: examples.flatMap(({ user }) => user),
    }))
}
