import type { Capability, PluginParts } from './oracle-plugin.ts'
import { manifestSchema } from './plugin-manifest.ts'
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
    if (!Array.isArray(list)) return { usable: [], fault: new TypeError('capabilities() gave back no list') }
    const usable = list.filter(isUsable)
    if (usable.length === list.length) return { usable }
    return { usable, fault: new TypeError('capabilities() gave back an unusable capability') }
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

/** The state of a capability; one that cannot say is degraded. */
export const capabilityState = (capability: Capability): 'ready' | 'pending' | 'degraded' => {
  try {
    const state: unknown = capability.state()
    return state === 'ready' || state === 'pending' ? state : 'degraded'
  } catch {
    return 'degraded'
  }
}
