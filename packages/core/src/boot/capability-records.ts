import type { CapabilityRecord } from '@sibyl/protocol'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'

const states = { loaded: 'ready', available: 'ready' } as const

/** What `GET /capabilities` answers: every plugin and capability with its state, tools and token cost. */
export const capabilityRecords = (plugins: readonly PluginRecord[], catalog: CapabilityCatalog): CapabilityRecord[] => {
  const entries = new Map(catalog.entries().map(entry => [entry.name, entry]))
  return plugins.map(({ name, manifest, mode, state, reason }) => {
    const entry = entries.get(name)
    const tools = entry?.fixedTools ?? {}
    return {
      name,
      title: manifest.title,
      summary: manifest.summary,
      mode,
      state: state === 'loaded' || state === 'available' ? states[state] : state,
      ...(reason === undefined ? {} : { reason }),
      tags: manifest.tags ?? [],
      tools: Object.keys(tools),
      tokens: entry ? catalog.tokens(tools, entry.instructions) : 0,
    }
  })
}
