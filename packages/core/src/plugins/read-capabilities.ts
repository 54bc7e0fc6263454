import { type Capability, manifestSchema, type PluginParts, type Tools } from '@sibyl/plugin'
import { toolFaults } from './check-tools.ts'
import { isPluginName } from './plugin-name.ts'

/** What a plugin that stands for many named. */
export interface NamedCapabilities {
  readonly usable: readonly Capability[]
  /** What is wrong, where it threw or gave back something unusable. */
  readonly fault?: unknown
}

const fine = new WeakSet<object>()

/** Asks a plugin for its capabilities as they are now; what cannot be used is left out. Never throws. */
export const readCapabilities = (parts: Pick<PluginParts, 'capabilities'>): NamedCapabilities => {
  try {
    const list: unknown = parts.capabilities?.() ?? []
    if (!Array.isArray(list)) return { usable: [], fault: new TypeError('capabilities() did not return a list') }
    const usable = list.filter(isUsable)
    if (usable.length === list.length) return { usable }
    return { usable, fault: new TypeError('capabilities() returned an invalid capability') }
  } catch (fault) {
    return { usable: [], fault: fault ?? new TypeError('capabilities() threw nothing') }
  }
}

const isUsable = (value: unknown): value is Capability => {
  if (typeof value !== 'object' || value === null) return false
  const { name, manifest, tools, state } = value as Partial<Capability>
  if (typeof name !== 'string' || !isPluginName(name)) return false
  if (typeof tools !== 'function' || typeof state !== 'function') return false
  if (typeof manifest !== 'object' || manifest === null) return false
  if (!fine.has(manifest) && !manifestSchema.safeParse(manifest).success) return false
  fine.add(manifest)
  return true
}

/** The state of a capability, or of a plugin that tells its own; one that cannot say is degraded. */
export const capabilityState = (capability: Pick<Capability, 'state'>): 'ready' | 'pending' | 'degraded' => {
  try {
    const state: unknown = capability.state()
    return state === 'ready' || state === 'pending' ? state : 'degraded'
  } catch {
    return 'degraded'
  }
}

/** The longest reason of a state, in characters. */
const maxReason = 300

/** Why it is not ready, where it can say. */
export const capabilityReason = (capability: Pick<Capability, 'reason'>): string | undefined => {
  try {
    const reason: unknown = capability.reason?.()
    return typeof reason === 'string' && reason.trim() !== '' ? reason.slice(0, maxReason) : undefined
  } catch {
    return undefined
  }
}

/** The tools of a capability as they were last known, under the names that they have in a turn; unusable ones are left out. */
export const knownTools = (capability: Capability): Tools => {
  try {
    const tools: unknown = capability.knownTools?.() ?? {}
    if (typeof tools !== 'object' || tools === null) return {}
    return prefixed(capability.name, Object.fromEntries(Object.entries(tools).filter(([, tool]) => isTool(tool))))
  } catch {
    return {}
  }
}

/** A capability's tools under the names that they have in a turn: `<name>_<tool>`. */
export const prefixed = (capability: string, tools: Tools): Tools => {
  const prefix = prefixOf(capability)
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [`${prefix}${name}`, tool]))
}

/** What the names of a capability's tools begin with in a turn. */
export const prefixOf = (capability: string): string => `${capability.replaceAll('-', '_')}_`

const isTool = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (!fine.has(value) && toolFaults(value).length > 0) return false
  fine.add(value)
  return true
}
