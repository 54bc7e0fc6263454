import { loadMode } from '@sibyl/plugin/host'
import type { CoreEnv } from '../config/core-env.ts'
import { describeDatabase } from '../database/describe-database.ts'
import type { BootFact, SettledFact } from '../logging/boot-facts.ts'
import { restoredText } from '../maintenance/watch-restores.ts'
import type { BackgroundTask } from '../plugins/background-tasks.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import type { AssembledOracle } from './assemble-oracle.ts'
import { coreVersion } from './core-version.ts'
import type { Kernel, Opened } from './make-kernel.ts'
import { countPublicRoutes } from './plugin-routes.ts'

/** Sources of the boot log before the oracle listens. */
export interface BootReportSources {
  readonly opened: Opened
  readonly oracle: AssembledOracle
  /** The number of turns that the last shutdown interrupted. */
  readonly interrupted: number
  readonly remarks: readonly string[]
}

/** Returns the facts of the boot log before the oracle listens. */
export const bootReport = ({ opened, oracle, interrupted, remarks }: BootReportSources): BootFact[] => {
  const { env, resolution, models } = opened.settings
  const { plugins } = oracle.setUp
  const records = oracle.status.list()
  const tasks = oracle.tasks.list()
  const warn = true as const
  const texts = [
    ...(opened.isRestored ? [restoredText] : []),
    ...(interrupted === 0
      ? []
      : [`${interrupted} ${interrupted === 1 ? 'turn was' : 'turns were'} interrupted by the last shutdown`]),
  ]
  return [
    header(env),
    ...plugins
      .filter(({ plugin }) => !plugin.isAdapter && !tasks.some(task => task.plugin === plugin.name))
      .map(one => pluginFact(one, records)),
    ...resolution.excluded.flatMap(({ plugin, variable }): BootFact[] =>
      variable === undefined ? [] : [{ kind: 'excluded', plugin: plugin.name, variable }],
    ),
    ...tasks.map(task => pendingFact(task, records)),
    ...plugins.filter(({ plugin }) => plugin.isAdapter).map(adapterFact),
    { kind: 'database', text: describeDatabase(env.DATABASE_URL) },
    { kind: 'model', text: models.describe(), warn: models.state !== 'ready' },
    {
      kind: 'identity',
      ...(opened.key && { did: opened.key.did }),
      ...(env.ORACLE_ENTITY_DID === undefined ? {} : { entityDid: env.ORACLE_ENTITY_DID }),
    },
    ...[...remarks, ...identityChanges(opened, oracle.kernel)].map(text => ({ kind: 'warning', warn, text }) as const),
    ...texts.map(text => ({ kind: 'database', warn, text }) as const),
  ]
}

const identityChanges = ({ key }: Opened, { formerDid, formerPublicDid, address }: Kernel): string[] => [
  ...(key === undefined || formerDid === undefined
    ? []
    : [
        `the identity changed from ${formerDid} to ${key.did}; if this is not intended, restore the previous ORACLE_MNEMONIC`,
      ]),
  ...(formerPublicDid === undefined
    ? []
    : [
        `the public DID changed from ${formerPublicDid} to ${address.did}; credentials issued so far name the former one, and verify only while its address serves this oracle; if this is not intended, restore the previous PUBLIC_URL`,
      ]),
]

/** Returns the first line of the boot log. */
export const header = (env: CoreEnv): BootFact => ({
  kind: 'header',
  version: coreVersion,
  name: env.ORACLE_NAME,
  environment: env.NODE_ENV,
  network: env.NETWORK,
})

const pendingFact = ({ plugin, name }: BackgroundTask, records: readonly PluginRecord[]): BootFact => {
  const detail = capabilityTally(plugin, records) ?? (name === plugin ? undefined : name)
  return { kind: 'pending', plugin, ...(detail === undefined ? {} : { detail }) }
}

/** Returns the result of a task, and the state of its plugin. */
export const settledFact = (
  { plugin, durationMs = 0, reason: failure }: BackgroundTask,
  records: readonly PluginRecord[],
): SettledFact => {
  const { state, reason } = records.find(({ name }) => name === plugin) ?? {}
  const detail = capabilityTally(plugin, records) ?? (state === 'degraded' ? reason : undefined)
  return {
    kind: 'settled',
    plugin,
    durationMs,
    state: failure === undefined && state !== undefined && state !== 'excluded' ? state : 'failed',
    ...(failure === undefined ? {} : { reason: failure }),
    ...(detail === undefined ? {} : { detail }),
  }
}

const detailOf = (plugin: string, records: readonly PluginRecord[]): { readonly detail?: string } => {
  const detail = capabilityTally(plugin, records)
  return detail === undefined ? {} : { detail }
}

const adapterFact = ({ plugin, parts: { endpoint = '/', routes = [] } }: ReadyPlugin): BootFact => ({
  kind: 'adapter',
  plugin: plugin.name,
  endpoint,
  routes: routes.length,
})

const pluginFact = (ready: ReadyPlugin, records: readonly PluginRecord[]): BootFact => {
  const { plugin, parts } = ready
  const mode = loadMode(plugin.manifest)
  const routes = parts.routes ?? []
  return {
    kind: mode === 'always' ? 'loaded' : 'available',
    plugin: plugin.name,
    mode,
    ...(typeof parts.tools === 'function' ? {} : { tools: Object.keys(parts.tools ?? {}).length }),
    routes: routes.length,
    publicRoutes: countPublicRoutes(ready),
    ...detailOf(plugin.name, records),
  }
}

/** Maximum number of named capabilities per state. */
const maxNamed = 3

/**
 * Summarizes the capabilities of a plugin on one line: `48 of 50 ready, degraded: files, mail`. Undefined if it has
 * none.
 */
const capabilityTally = (plugin: string, records: readonly PluginRecord[]): string | undefined => {
  const capabilities = records.filter(record => record.plugin === plugin && record.name !== plugin)
  if (capabilities.length === 0) return undefined
  const inState = (state: PluginRecord['state']) =>
    capabilities.filter(record => record.state === state).map(({ name }) => name)
  const pending = inState('pending')
  const degraded = inState('degraded')
  const ready = capabilities.length - pending.length - degraded.length
  return [
    `${ready} of ${capabilities.length} ready`,
    ...(pending.length > 0 ? [`pending: ${named(pending)}`] : []),
    ...(degraded.length > 0 ? [`degraded: ${named(degraded)}`] : []),
  ].join(', ')
}

const named = (names: readonly string[]): string => {
  const rest = names.length - maxNamed
  return rest > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(', ')
}
