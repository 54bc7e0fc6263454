import type { Host } from '@sibyl/plugin'
import type { OracleProfile } from '@sibyl/plugin/host'
import { fileVariables } from '../config/file-variables.ts'
import type { BackgroundTasks } from '../plugins/background-tasks.ts'
import type { SharedHostParts } from '../plugins/make-host.ts'
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

/** Returns the parts that the hosts of all plugins share. */
export const hostParts = ({ opened, kernel, turns, people, tasks }: HostSources): SharedHostParts => {
  const { options, settings, storage } = opened
  const { env, resolution, models, catalog, log, redactor } = settings
  const { auth, identity, jobs, watchedJobs, pluginCounter, shareOf, originOf, ending, restores } = kernel
  return {
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
    log,
    clock: jobs.clock,
    identity,
    storage,
    jobs: watchedJobs,
    turns: turns.forPlugins,
    grants: { check: auth.checkGrant, isOfOperator: auth.isOperatorGrant },
    people,
    restores,
    counter: pluginCounter,
    shareOf,
    originOf,
    model: role => models[role](),
    background: (name, task, start) => tasks.add(name, task, start),
    ending: ending.signal,
  }
}

const profileOf = ({ env, config }: Settings): OracleProfile => ({
  name: env.ORACLE_NAME,
  ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
  ...(config.price === undefined ? {} : { price: config.price }),
})
