import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { OraclePlugin, PluginParts } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { apiKeyNames } from '../auth/api-key-names.ts'
import type { CoreTables } from '../database/core-tables.ts'
import type { CapabilitiesAnswer } from '../http/capabilities-route.ts'
import { RouteRegistry } from '../http/route-record.ts'
import { startRetention } from '../maintenance/retention-job.ts'
import { coreRecords } from '../people/core-records.ts'
import { createHoldStore } from '../people/hold-store.ts'
import { BackgroundTasks } from '../plugins/background-tasks.ts'
import { checkParts } from '../plugins/check-parts.ts'
import { makePeople } from '../plugins/make-people.ts'
import { createPeopleChannels } from '../plugins/people-channels.ts'
import { type SetUpResult, setUpPlugins } from '../plugins/plugin-lifecycle.ts'
import { PluginRegistry } from '../plugins/plugin-registry.ts'
import { PluginStatus } from '../plugins/plugin-status.ts'
import { ServiceRegistry } from '../plugins/service-registry.ts'
import { type MadeTurns, makeTurns } from '../turn/make-turns.ts'
import { TurnHookRunner } from '../turn/store/turn-hooks.ts'
import { adapterRecords, capabilityRecords } from './capability-records.ts'
import { hostMaker } from './make-host.ts'
import { type MadeHttp, makeHttp } from './make-http.ts'
import { type Kernel, makeKernel, type Opened } from './make-kernel.ts'
import { makePorts, withPorts } from './make-ports.ts'
import { oracleRecord } from './oracle-record.ts'
import { addOracleState } from './oracle-state-metrics.ts'

/** An oracle with all its components, before anything runs. */
export interface AssembledOracle {
  readonly kernel: Kernel
  readonly setUp: SetUpResult
  readonly status: PluginStatus
  readonly turns: MadeTurns
  readonly http: MadeHttp
  readonly tasks: BackgroundTasks
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
  /** The problems that prevent a start. */
  readonly problems: readonly BootProblem[]
}

/** Whether the agent can load a plugin: an adapter only if it has tools. */
const offersTools = ({ isAdapter }: OraclePlugin, { tools, capabilities }: PluginParts): boolean =>
  !isAdapter || tools !== undefined || capabilities !== undefined

/** Sets up the plugins and assembles an oracle, each part after those that it depends on. */
export const assembleOracle = async (opened: Opened): Promise<AssembledOracle> => {
  const { settings, storage, restores, undo } = opened
  const { env, resolution, models, catalog, log } = settings
  const { redact } = settings.redactor
  // 1. Registries, which the plugins fill when they are set up.
  const registry = new PluginRegistry()
  const services = new ServiceRegistry(log)
  const routes = new RouteRegistry()
  const hooks = new TurnHookRunner(log)
  const middleware: LanguageModelV4Middleware[] = []
  const tasks = new BackgroundTasks({ log, redact })
  const status = new PluginStatus({
    plugins: () => registry.plugins,
    excluded: resolution.excluded,
    tasks: () => tasks.list(),
    redact,
  })
  const capabilities = (forWhom: 'operator' | 'public') => ({
    capabilities: capabilityRecords(status.list(), catalog, forWhom),
    adapters: adapterRecords(status.list(), registry.plugins, forWhom),
  })
  // 2. What needs no plugin.
  const kernel = await makeKernel(opened)
  const { auth, now, jobs, telemetry } = kernel
  const turns = makeTurns({
    storage,
    registry,
    services,
    catalog,
    models,
    hooks,
    middleware,
    env,
    shareOf: kernel.shareOf,
    forgetExpired: (at, signal) => auth.forgetExpired(at, signal),
    checkRestore: () => restores.check(),
    checkGrant: auth.checkGrant,
    now,
    log,
    telemetry,
  })
  const holds = createHoldStore(storage.for<CoreTables>())
  const people = makePeople({
    turns,
    log,
    core: coreRecords(storage.for<CoreTables>()),
    isHeld: holds.isHeld,
    isOracle: kernel.isOracle,
    plugins: () => registry.personalRecords,
  })
  const peopleChannels = createPeopleChannels(
    () => [
      { name: 'api-key', records: { names: apiKeyNames(auth, storage.for<CoreTables>(), now) } },
      ...registry.personalRecords,
    ],
    log,
  )
  // 3. The plugins.
  const makeHost = hostMaker({ opened, kernel, turns, people, tasks })
  const folder = env.NODE_ENV === 'development' ? process.cwd() : undefined
  const request = { env: settings.pluginEnv, services, log, redact, folder }
  const setUp = await setUpPlugins({
    ...request,
    plugins: resolution.ordered,
    hostFor: makeHost,
  })
  undo.push(() => setUp.dispose())
  const { plugins } = setUp
  for (const { plugin, parts } of plugins) {
    if (offersTools(plugin, parts)) catalog.add({ name: plugin.name, manifest: plugin.manifest, parts })
    if (parts.turn) hooks.add({ plugin: plugin.name, hooks: parts.turn })
    if (parts.modelMiddleware) middleware.push(parts.modelMiddleware)
    if (parts.credentials) auth.addCredentials(parts.credentials)
  }
  registry.complete(plugins)
  await startRetention({
    storage,
    jobs: kernel.watchedJobs,
    env,
    rules: plugins.flatMap(({ parts }) => parts.retention ?? []),
    now,
    isSystemClock: opened.options.clock === undefined,
    log,
  })
  // 4. The parts of core, and HTTP.
  const record = () => oracleRecord({ opened, kernel, plugins })
  const ports = makePorts({ opened, kernel, plugins, status, turns, peopleChannels, routes, capabilities, record })
  const ofParts = withPorts(ports, services)
  const parts = await setUpPlugins({
    ...request,
    plugins: resolution.partsOfCore,
    hostFor: (part, partEnv) => makeHost(part, partEnv, ofParts),
  })
  const partRoutes = parts.plugins.flatMap(part => part.parts.routes ?? [])
  const made = { plugins, turns, people, holds, peopleChannels, capabilities, record, routes, partRoutes }
  const http = makeHttp({ opened, kernel, ...made })
  addOracleState(telemetry.metrics.registry, { turns, jobs, status, storage, circuit: models.circuit })
  const problems = [
    ...setUp.problems,
    ...parts.problems,
    ...checkParts({ plugins, coreRoutes: http.coreDefinitions, log }),
  ]
  return { kernel, setUp, status, turns, http, tasks, capabilities, problems }
}
