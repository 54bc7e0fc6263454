import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Clock, Host, Logger, OraclePlugin, ShareOf } from '@sibyl/plugin'
import {
  type HostCapability,
  makeLine,
  makePlaces,
  type OracleProfile,
  type OriginOf,
  type Turns,
} from '@sibyl/plugin/host'
import type { Jobs, RestoreWatch, Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import { createSpace } from '../budgets/stored-bytes.ts'
import type { PluginEnv } from '../config/load-env.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { countStored } from '../database/count-stored.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import type { PluginServices } from './service-registry.ts'

/** Dependencies shared by the hosts of all plugins. */
export interface SharedHostParts {
  readonly oracle: OracleProfile
  capabilities(): readonly HostCapability[]
  /** `NODE_ENV`. */
  readonly environment: string
  variable(name: string): string | undefined
  readonly access: Host['access']
  readonly log: Logger
  readonly clock: Clock
  readonly identity: Host['identity']
  readonly storage: Storage
  readonly jobs: Jobs
  readonly turns: Turns
  readonly grants: Host['grants']
  readonly people: Host['people']
  readonly restores: Pick<RestoreWatch, 'restoredAt'>
  /** The counter for the limits of plugins. */
  readonly counter: RateCounter
  /** The shares of callers in common limits. */
  readonly shareOf: ShareOf
  readonly originOf: OriginOf
  model(role: 'main' | 'utility'): Promise<LanguageModelV4>
  background(plugin: string, name: string, start: (signal: AbortSignal) => Promise<void>): void
  readonly ending: AbortSignal
}

/** Creates the host of one plugin. */
export const makeHost = (
  shared: SharedHostParts,
  plugin: OraclePlugin,
  env: PluginEnv,
  services: PluginServices,
): Host => ({
  env,
  oracle: shared.oracle,
  capabilities: () => shared.capabilities(),
  environment: shared.environment,
  variable: name => shared.variable(name),
  access: shared.access,
  log: shared.log.child({ plugin: plugin.name }),
  clock: shared.clock,
  identity: shared.identity,
  storage: shared.storage,
  jobs: shared.jobs,
  turns: shared.turns,
  grants: shared.grants,
  limits: {
    async take({ name, key, perMinute }) {
      const own = `${plugin.name}/${name}:${key}`
      return shared.counter.take({ key: own, wide: own }, perMinute)
    },
    places: limits => makePlaces(limits, shared.shareOf),
    line: limits => makeLine(limits, shared.shareOf),
    shareOf: shared.shareOf,
    originOf: shared.originOf,
    countStored: (tx, stored) => countStored((tx as unknown as Transaction<CoreTables>).withoutPlugins(), stored),
    space: limits => createSpace(plugin.name, limits, shared.storage.for<CoreTables>().read, shared.shareOf),
  },
  people: shared.people,
  get restoredAt() {
    return shared.restores.restoredAt
  },
  model: role => shared.model(role),
  service: token => services.service(token),
  optionalService: token => services.optionalService(token),
  background: (name, start) => shared.background(plugin.name, name, start),
  ending: shared.ending,
})
