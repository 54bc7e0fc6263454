import {
  type Capability,
  type LoadMode,
  loadMode,
  type Manifest,
  type OraclePlugin,
  type PluginParts,
} from '@sibyl/plugin'
import type { BackgroundTask } from './background-tasks.ts'
import type { ReadyPlugin } from './plugin-lifecycle.ts'
import { capabilityReason, capabilityState, readCapabilities } from './read-capabilities.ts'
import type { ExcludedPlugin } from './resolve-plugins.ts'

/** `loaded`: the agent has its tools from the first step; `available`: once it loads the plugin. */
export type PluginState = 'loaded' | 'available' | 'pending' | 'degraded' | 'failed' | 'excluded'

/** A plugin as it is now, or a capability of one that stands for many. */
export interface PluginRecord {
  readonly name: string
  /** The plugin it belongs to: itself, unless it is a capability. */
  readonly plugin: string
  readonly version: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  readonly state: PluginState
  /** Why it is in that state, where that needs a word; safe to show. */
  readonly reason?: string
  /** With `excluded`: the blank opt-in variable. */
  readonly variable?: string
  /** What its setup took. */
  readonly setupMs?: number
}

/** What `PluginStatus` looks at. */
export interface PluginStatusSources {
  readonly plugins: readonly ReadyPlugin[]
  readonly excluded: readonly ExcludedPlugin[]
  /** The background tasks as they are now. */
  tasks(): readonly BackgroundTask[]
  /** Strikes secrets out of the reasons that capabilities give. */
  redact?(text: string): string
}

/** The live state of every plugin and capability. */
export class PluginStatus {
  readonly #sources: PluginStatusSources

  constructor(sources: PluginStatusSources) {
    this.#sources = sources
  }

  /** All of them as they are now: those set up in their order, capabilities behind their plugin, then the excluded. */
  list(): PluginRecord[] {
    const { plugins, excluded } = this.#sources
    return [
      ...plugins.flatMap(({ plugin, parts, durationMs }) => [
        { ...facts(plugin), ...this.#stateOf(plugin, parts), setupMs: durationMs },
        ...readCapabilities(parts).usable.map(capability => capabilityRecord(plugin, capability, this.#sources.redact)),
      ]),
      ...excluded.map(
        ({ plugin, reason, variable }): PluginRecord => ({
          ...facts(plugin),
          state: 'excluded',
          reason: variable === undefined ? `disabled by ${reason}` : `${variable} is not set`,
          ...(variable === undefined ? {} : { variable }),
        }),
      ),
    ]
  }

  /** The plugin or capability of that name as it is now. */
  find(name: string): PluginRecord | undefined {
    return this.list().find(record => record.name === name)
  }

  /** Failed as soon as one of its background tasks is, pending while one is; else what it tells itself. */
  #stateOf(plugin: OraclePlugin, { state: tell, reason }: PluginParts): Pick<PluginRecord, 'state' | 'reason'> {
    const tasks = this.#sources.tasks().filter(task => task.plugin === plugin.name)
    const failed = tasks.find(({ state }) => state === 'failed')
    if (failed) return { state: 'failed', reason: `${failed.name} ${failed.reason ?? 'failed'}` }
    const pending = tasks.find(({ state }) => state === 'pending')
    if (pending) return { state: 'pending', reason: `${pending.name} starts` }
    const state = tell ? capabilityState({ state: tell }) : 'ready'
    if (state === 'ready') return { state: settledState(plugin.manifest) }
    const why = reason ? capabilityReason({ reason }) : undefined
    return { state, ...(why === undefined ? {} : { reason: this.#sources.redact?.(why) ?? why }) }
  }
}

const settledState = (manifest: Manifest): PluginState => (loadMode(manifest) === 'always' ? 'loaded' : 'available')

const facts = ({ name, version, manifest }: OraclePlugin) => ({
  name,
  plugin: name,
  version,
  manifest,
  mode: loadMode(manifest),
})

const capabilityRecord = (
  plugin: OraclePlugin,
  capability: Capability,
  redact: (text: string) => string = text => text,
): PluginRecord => {
  const state = stateOf(capability)
  const reason = state === 'pending' || state === 'degraded' ? capabilityReason(capability) : undefined
  return {
    ...facts({ ...plugin, name: capability.name, manifest: capability.manifest }),
    plugin: plugin.name,
    state,
    ...(reason === undefined ? {} : { reason: redact(reason) }),
  }
}

const stateOf = (capability: Capability): PluginState => {
  const state = capabilityState(capability)
  return state === 'ready' ? settledState(capability.manifest) : state
}
