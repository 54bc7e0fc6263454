import type { Host, OraclePlugin } from '@sibyl/plugin'
import { makeLine, makePlaces, type OracleProfile } from '@sibyl/plugin/host'
import type { Transaction } from 'kysely'
import { createSpace } from '../budgets/stored-bytes.ts'
import { fileVariables } from '../config/file-variables.ts'
import type { PluginEnv } from '../config/load-env.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { countStored } from '../database/count-stored.ts'
import type { BackgroundTasks } from '../plugins/background-tasks.ts'
import type { PluginServices } from '../plugins/service-registry.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import { hostCapabilities } from './capability-records.ts'
import type { Kernel, Opened } from './make-kernel.ts'
import type { Settings } from './read-settings.ts'

/** Dependencies of the hosts of all plugins. */
export interface HostSources {
  readonly opened: Opened
  readonly kernel: Kernel
  readonly turns: Pick<MadeTurns, 'forPlugins'>
  readonly people: Host['people']
  readonly tasks: BackgroundTasks
}

/** Returns the function that creates the host of one plugin. */
export const hostMaker = ({ opened, kernel, turns, people, tasks }: HostSources) => {
  const { options, settings, storage } = opened
  const { env, resolution, models, catalog, log, redactor } = settings
  const { auth, identity, jobs, watchedJobs, pluginCounter, shareOf, originOf, ending, restores } = kernel
  const shared = {
    oracle: profileOf(settings),
    capabilities: () => hostCapabilities(catalog, resolution.ordered),
    environment: env.NODE_ENV,
    variable: fileVariables({
      env: options.env ?? process.env,
      schemas: [...resolution.ordered, ...resolution.excluded.map(({ plugin }) => plugin)].flatMap(
        plugin => plugin.env ?? [],
      ),
      addSecret: value => redactor.add(value),
    }),
    access: { mode: env.ORACLE_ACCESS, controllers: env.ORACLE_CONTROLLERS, isTrusted: auth.isTrusted },
    clock: jobs.clock,
    identity,
    storage,
    jobs: watchedJobs,
    turns: turns.forPlugins,
    grants: { check: auth.checkGrant, isOfOperator: auth.isOperatorGrant },
    people,
    model: (role: 'main' | 'utility') => models[role](),
    ending: ending.signal,
  }
  return (plugin: OraclePlugin, pluginEnv: PluginEnv, services: PluginServices): Host => ({
    ...shared,
    env: pluginEnv,
    log: log.child({ plugin: plugin.name }),
    limits: {
      async take({ name, key, perMinute }) {
        const own = `${plugin.name}/${name}:${key}`
        return pluginCounter.take({ key: own, wide: own }, perMinute)
      },
      places: limits => makePlaces(limits, shareOf),
      line: limits => makeLine(limits, shareOf),
      shareOf,
      originOf,
      countStored: (tx, stored) => countStored((tx as unknown as Transaction<CoreTables>).withoutPlugins(), stored),
      space: limits => createSpace(plugin.name, limits, storage.for<CoreTables>().read, shareOf),
    },
    get restoredAt() {
      return restores.restoredAt
    },
    service: token => services.service(token),
    optionalService: token => services.optionalService(token),
    background: (name, start) => tasks.add(plugin.name, name, start),
  })
}

const profileOf = ({ env, config }: Settings): OracleProfile => ({
  name: env.ORACLE_NAME,
  ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
  ...(config.price === undefined ? {} : { price: config.price }),
})
