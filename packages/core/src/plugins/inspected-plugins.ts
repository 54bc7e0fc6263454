import type { OraclePlugin, Route } from '@sibyl/plugin'
import { type Access, type BootProblem, loadMode } from '@sibyl/plugin/host'
import type { OracleInspection } from '../records/oracle-inspection.ts'
import type { ReadyPlugin } from './plugin-lifecycle.ts'
import type { PluginRecord } from './plugin-status.ts'
import type { Resolution } from './resolve-plugins.ts'

type InspectedPlugin = OracleInspection['plugins'][number]

/** The known plugins: `parts` only if they were set up. */
export interface PluginsToInspect {
  readonly resolution: Pick<Resolution, 'ordered' | 'excluded'>
  readonly problems: readonly BootProblem[]
  /** Those that were set up, and the excluded ones. */
  readonly records: readonly PluginRecord[]
  readonly parts?: readonly ReadyPlugin[]
  readonly routes: readonly {
    readonly owner: string
    readonly access: Access
    readonly definition: Pick<Route['definition'], 'method' | 'path'>
  }[]
}

/** Returns every plugin in order, the excluded ones last, with its parts and the reason for its state. */
export const inspectedPlugins = (style: PluginsToInspect): InspectedPlugin[] => {
  const { ordered, excluded } = style.resolution
  return [...ordered, ...excluded.map(({ plugin }) => plugin)].map(plugin => inspectedPlugin(plugin, style))
}

const inspectedPlugin = (plugin: OraclePlugin, style: PluginsToInspect): InspectedPlugin => {
  const { name, version, manifest } = plugin
  const parts = style.parts?.find(one => one.plugin.name === name)?.parts
  return {
    name,
    version,
    title: manifest.title,
    summary: manifest.summary,
    bundled: plugin.bundled === true,
    load: loadMode(manifest),
    ...standing(plugin, style),
    tools: typeof parts?.tools === 'function' ? [] : Object.keys(parts?.tools ?? {}),
    toolsVary: typeof parts?.tools === 'function' || parts?.capabilities !== undefined,
    routes: style.routes
      .filter(({ owner }) => owner === name)
      .map(({ access, definition: { method, path } }) => ({
        method: method.toUpperCase(),
        path,
        public: access === 'public',
      })),
    ...(plugin.isAdapter ? { adapter: parts?.endpoint === undefined ? {} : { endpoint: parts.endpoint } } : {}),
  }
}

const standing = (
  { name, manifest }: OraclePlugin,
  { problems, records, parts }: PluginsToInspect,
): Pick<InspectedPlugin, 'state' | 'reason' | 'variable'> => {
  const problem = problems.find(({ plugin }) => plugin === name)
  if (problem) return { state: 'failed', reason: problem.headline }
  const record = records.find(one => one.name === name)
  if (record) {
    const { state, reason, variable } = record
    return { state, reason, variable }
  }
  if (parts) return { state: 'failed', reason: 'it requires a plugin that failed' }
  return { state: loadMode(manifest) === 'always' ? 'loaded' : 'available' }
}
