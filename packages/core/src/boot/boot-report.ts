import { loadMode } from '@sibyl/plugin/host'
import type { CoreEnv } from '../config/core-env.ts'
import { describeDatabase } from '../database/describe-database.ts'
import type { BootFact, SettledFact } from '../logging/boot-facts.ts'
import { restoredText } from '../maintenance/watch-restores.ts'
import type { BackgroundTask } from '../plugins/background-tasks.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import type { ExcludedPlugin } from '../plugins/resolve-plugins.ts'
import { capabilityTally } from './capability-tally.ts'
import { coreVersion } from './core-version.ts'
import { countPublicRoutes } from './plugin-routes.ts'

/** Returns the facts of the boot log before the oracle listens. */
export const bootReport = (report: {
  readonly env: CoreEnv
  /** Remarks on settings. */
  readonly remarks: readonly string[]
  readonly plugins: readonly ReadyPlugin[]
  /** The states of plugins and capabilities. */
  readonly records: readonly PluginRecord[]
  readonly excluded: readonly ExcludedPlugin[]
  readonly tasks: readonly BackgroundTask[]
  readonly model: string
  readonly modelReady: boolean
  readonly did: string | undefined
  /** The did:key that the database recorded last, if it differs from the current one. */
  readonly formerDid: string | undefined
  readonly publicDid: string
  /** The public DID that the database recorded last, if it differs from the current one. */
  readonly formerPublicDid: string | undefined
  readonly interrupted: number
  /** Whether this start found the database restored from a backup. */
  readonly isRestored: boolean
}): BootFact[] => {
  const { env, plugins, records, excluded, tasks } = report
  return [
    header(env),
    ...plugins
      .filter(({ plugin }) => !plugin.isAdapter && !tasks.some(task => task.plugin === plugin.name))
      .map(one => pluginFact(one, records)),
    ...excluded.flatMap(({ plugin, variable }): BootFact[] =>
      variable === undefined ? [] : [{ kind: 'excluded', plugin: plugin.name, variable }],
    ),
    ...tasks.map(task => pendingFact(task, records)),
    ...plugins.filter(({ plugin }) => plugin.isAdapter).map(adapterFact),
    { kind: 'database', text: describeDatabase(env.DATABASE_URL) },
    { kind: 'model', text: report.model, warn: !report.modelReady },
    {
      kind: 'identity',
      ...(report.did === undefined ? {} : { did: report.did }),
      ...(env.ORACLE_ENTITY_DID === undefined ? {} : { entityDid: env.ORACLE_ENTITY_DID }),
    },
    ...report.remarks.map(text => ({ kind: 'warning', warn: true, text }) as const),
    ...identityChange(report),
    ...(report.isRestored ? [{ kind: 'database', text: restoredText, warn: true } as const] : []),
    ...(report.interrupted === 0
      ? []
      : [
          {
            kind: 'database',
            text: `${report.interrupted} ${report.interrupted === 1 ? 'turn was' : 'turns were'} interrupted by the last shutdown`,
            warn: true,
          } as const,
        ]),
  ]
}

const identityChange = (report: {
  readonly did: string | undefined
  readonly formerDid: string | undefined
  readonly publicDid: string
  readonly formerPublicDid: string | undefined
}): BootFact[] => {
  const { did, formerDid, publicDid, formerPublicDid } = report
  const texts = [
    ...(did === undefined || formerDid === undefined
      ? []
      : [
          `the identity changed from ${formerDid} to ${did}; if this is not intended, restore the previous ORACLE_MNEMONIC`,
        ]),
    ...(formerPublicDid === undefined
      ? []
      : [
          `the public DID changed from ${formerPublicDid} to ${publicDid}; credentials issued so far name the former one, and verify only while its address serves this oracle; if this is not intended, restore the previous PUBLIC_URL`,
        ]),
  ]
  return texts.map(text => ({ kind: 'warning', warn: true, text }))
}

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
