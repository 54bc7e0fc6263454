import type { Capability, PluginParts, Tools } from '@sibyl/plugin'
import { manifestSchema } from '@sibyl/plugin/host'
import { toolViolations } from './check-tools.ts'
import { isPluginName } from './plugin-name.ts'

/** The capabilities that a plugin returned. */
export interface NamedCapabilities {
  readonly usable: readonly Capability[]
  /** The error, if it threw or returned an invalid value. */
  readonly fault?: unknown
}

const fine = new WeakSet<object>()

/** Reads the current capabilities of a plugin; invalid ones are omitted. Never throws. */
export const readCapabilities = (parts: Pick<PluginParts, 'capabilities'>): NamedCapabilities => {
  try {
    const list: unknown = parts.capabilities?.() ?? []
    if (!Array.isArray(list)) return { usable: [], fault: new TypeError('capabilities() did not return a list') }
    const usable = list.filter(isUsable)
    if (usable.length === list.length) return { usable }
    return { usable, fault: new TypeError('capabilities() returned an invalid capability') }
  } catch (violation) {
    return { usable: [], fault: violation ?? new TypeError('capabilities() threw nothing') }
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

/** Returns the state of a capability, or of a plugin with `state`; degraded if it throws. */
export const capabilityState = (capability: Pick<Capability, 'state'>): 'ready' | 'pending' | 'degraded' => {
  try {
    const state: unknown = capability.state()
    return state === 'ready' || state === 'pending' ? state : 'degraded'
  } catch {
    return 'degraded'
  }
}

/** Maximum length of the reason of a state, in characters. */
const maxReason = 300

/** Returns the reason why it is not ready, if it has one. */
export const capabilityReason = (capability: Pick<Capability, 'reason'>): string | undefined => {
  try {
    const reason: unknown = capability.reason?.()
    return typeof reason === 'string' && reason.trim() !== '' ? reason.slice(0, maxReason) : undefined
  } catch {
    return undefined
  }
}

/** Returns the last known tools of a capability, under their names in a turn; invalid ones are omitted. */
export const knownTools = (capability: Capability): Tools => {
  try {
    const tools: unknown = capability.knownTools?.() ?? {}
    if (typeof tools !== 'object' || tools === null) return {}
    return prefixed(capability.name, Object.fromEntries(Object.entries(tools).filter(([, tool]) => isTool(tool))))
  } catch {
    return {}
  }
}

/** Returns the tools of a capability under their names in a turn: `<name>_<tool>`. */
export const prefixed = (capability: string, tools: Tools): Tools => {
  const prefix = prefixOf(capability)
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [`${prefix}${name}`, tool]))
}

/** Returns the prefix of the tool names of a capability in a turn. */
export const prefixOf = (capability: string): string => `${capability.replaceAll('-', '_')}_`

const isTool = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (!fine.has(value) && toolViolations(value).length > 0) return false
  fine.add(value)
  return true
}
