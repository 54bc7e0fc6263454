import type { Capability, Manifest, OraclePlugin, PluginParts } from '@sibyl/plugin'
import { type LoadMode, loadMode } from '@sibyl/plugin/host'
import type { BackgroundTask } from './background-tasks.ts'
import type { ReadyPlugin } from './plugin-lifecycle.ts'
import { capabilityReason, capabilityState, readCapabilities } from './read-capabilities.ts'
import type { ExcludedPlugin } from './resolve-plugins.ts'

/** `loaded`: its tools are available from the first step; `available`: on demand. */
export type PluginState = 'loaded' | 'available' | 'pending' | 'degraded' | 'failed' | 'excluded'

/** The current state of a plugin, or of one of its capabilities. */
export interface PluginRecord {
  readonly name: string
  /** The plugin of a capability; otherwise its own name. */
  readonly plugin: string
  readonly version: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  readonly state: PluginState
  /** The reason for the state, if any; safe to show. */
  readonly reason?: string
  /** True for an adapter: a protocol for existing clients. */
  readonly isAdapter: boolean
  /** With `excluded`: the blank opt-in variable. */
  readonly variable?: string | undefined
  /** The duration of its setup. */
  readonly setupMs?: number
}

export interface PluginStatusSources {
  /** Returns the plugins that are set up. */
  plugins(): readonly ReadyPlugin[]
  readonly excluded: readonly ExcludedPlugin[]
  /** Returns the current background tasks. */
  tasks(): readonly BackgroundTask[]
  /** Redacts secrets from the reasons of capabilities. */
  redact?(text: string): string
}

/** The live state of every plugin and capability. */
export class PluginStatus {
  readonly #sources: PluginStatusSources

  constructor(sources: PluginStatusSources) {
    this.#sources = sources
  }

  /** Returns the current state of all: plugins in order, each followed by its capabilities, then the excluded ones. */
  list(): PluginRecord[] {
    const { excluded } = this.#sources
    return [
      ...this.#sources
        .plugins()
        .flatMap(({ plugin, parts, durationMs }) => [
          { ...facts(plugin), ...this.#stateOf(plugin, parts), setupMs: durationMs },
          ...readCapabilities(parts).usable.map(capability =>
            capabilityRecord(plugin, capability, this.#sources.redact),
          ),
        ]),
      ...excluded.map(
        ({ plugin, reason, variable }): PluginRecord => ({
          ...facts(plugin),
          state: 'excluded',
          reason: variable === undefined ? `disabled by ${reason}` : `${variable} is not set`,
          variable,
        }),
      ),
    ]
  }

  /** Returns the current state of a plugin or capability by name. */
  find(name: string): PluginRecord | undefined {
    return this.list().find(record => record.name === name)
  }

  /** Returns failed if one of its background tasks failed, pending while one is pending; otherwise its own state. */
  #stateOf(plugin: OraclePlugin, { state: report, reason }: PluginParts): Pick<PluginRecord, 'state' | 'reason'> {
    const tasks = this.#sources.tasks().filter(task => task.plugin === plugin.name)
    const failed = tasks.find(({ state }) => state === 'failed')
    if (failed) return { state: 'failed', reason: `${failed.name} ${failed.reason ?? 'failed'}` }
    const pending = tasks.find(({ state }) => state === 'pending')
    if (pending) return { state: 'pending', reason: `${pending.name} starts` }
    const state = report ? capabilityState({ state: report }) : 'ready'
    if (state === 'ready') return { state: settledState(plugin.manifest) }
    const why = reason ? capabilityReason({ reason }) : undefined
    return { state, ...(why === undefined ? {} : { reason: this.#sources.redact?.(why) ?? why }) }
  }
}

const settledState = (manifest: Manifest): PluginState => (loadMode(manifest) === 'always' ? 'loaded' : 'available')

const facts = ({ name, version, manifest, isAdapter }: OraclePlugin) => ({
  name,
  plugin: name,
  version,
  manifest,
  mode: loadMode(manifest),
  isAdapter: isAdapter === true,
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
    isAdapter: false,
    state,
    ...(reason === undefined ? {} : { reason: redact(reason) }),
  }
}

const stateOf = (capability: Capability): PluginState => {
  const state = capabilityState(capability)
  return state === 'ready' ? settledState(capability.manifest) : state
}
