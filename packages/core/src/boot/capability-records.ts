import type { CapabilityRecord } from '@sibyl/protocol'
import type { PluginRecord, PluginState } from '../plugins/plugin-status.ts'
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

/**
 * Returns the response of `GET /capabilities`: every plugin and capability with its state, tools and token cost.
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
  return offered.map(({ name, plugin, version, manifest, mode, state, reason: fullReason }) => {
    const entry = entries.get(name)
    const tools = entry?.fixedTools ?? {}
    const reason = forWhom === 'operator' && fullReason !== undefined ? fullReason : plainReasons[state]
    return {
      name,
      plugin,
      version,
      title: manifest.title,
      summary: manifest.summary,
      mode,
      state: states[state],
      ...(reason === undefined ? {} : { reason }),
      tags: manifest.tags ?? [],
      tools: Object.keys(tools),
      ...(entry && !entry.isFixed ? { toolsVary: true } : {}),
      tokens: entry ? catalog.tokens(tools, entry) : 0,
    }
  })
}
