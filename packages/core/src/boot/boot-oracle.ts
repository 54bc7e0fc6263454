import { openJobs, type Storage } from '@sibyl/storage'
import { LateTurns } from '../agent/late-turns.ts'
import { makeTurnEngine } from '../agent/make-turn-engine.ts'
import { pluginTurns } from '../agent/plugin-turns.ts'
import { makeAuth } from '../auth/make-auth.ts'
import { currentDidWeb, hostIdentity, type LoadedKey, loadSigningKey } from '../auth/oracle-identity.ts'
import { type Clock, systemClock } from '../config/clock.ts'
import { publicUrl } from '../config/core-env.ts'
import { createKeyHistory } from '../did/key-history.ts'
import type { KeyHistoryTables } from '../did/key-history-tables.ts'
import { BootError } from '../errors/boot-error.ts'
import { makeRateCounter } from '../limits/make-rate-counter.ts'
import { silentLogger } from '../logging/silent-logger.ts'
import { BackgroundTasks } from '../plugins/background-tasks.ts'
import { checkParts } from '../plugins/check-parts.ts'
import type { OracleProfile } from '../plugins/host.ts'
import { makeHost } from '../plugins/make-host.ts'
import { setUpPlugins } from '../plugins/plugin-lifecycle.ts'
import { PluginStatus } from '../plugins/plugin-status.ts'
import { makeTelemetry } from '../telemetry/make-telemetry.ts'
import { addOracleState } from '../telemetry/oracle-state-metrics.ts'
import { watchJobs } from '../telemetry/watch-jobs.ts'
import { CapabilityCatalog } from '../tools/capability-catalog.ts'
import { bootReport, header } from './boot-report.ts'
import { capabilityRecords } from './capability-records.ts'
import { makeHttp } from './make-http.ts'
import { openDatabase } from './open-database.ts'
import type { OracleApp, OracleAppOptions } from './oracle-app.ts'
import { OracleListeners } from './oracle-listeners.ts'
import { readSettings, type Settings } from './read-settings.ts'
import { RunningOracle } from './running-oracle.ts'

/**
 * Boots an oracle; see `createOracleApp`.
 *
 * @param startedAt `performance.now()` at the beginning.
 * @throws BootError `boot_failed` with every reason found; they are in the log already
 */
export const bootOracle = async (options: OracleAppOptions, startedAt: number): Promise<OracleApp> => {
  let catalog = new CapabilityCatalog([], silentLogger)
  const settings = readSettings(options, () => catalog)
  try {
    return await boot(options, settings, startedAt, made => {
      catalog = made
    })
  } catch (error) {
    if (error instanceof BootError) tellProblems(settings, error)
    throw error
  }
}

const tellProblems = ({ bootLog, env }: Settings, { problems }: BootError): void =>
  bootLog.tell(header(env), ...problems.map(problem => ({ kind: 'problem', problem }) as const), {
    kind: 'verdict',
    problems: problems.length,
  })

const boot = async (
  options: OracleAppOptions,
  settings: Settings,
  startedAt: number,
  onCatalog: (catalog: CapabilityCatalog) => void,
): Promise<OracleApp> => {
  const { env, resolution, log } = settings
  if (settings.problems.length > 0) throw new BootError(settings.problems)
  const clock = options.clock ?? systemClock
  const [storage, loadedKey] = await Promise.all([
    openDatabase(env.DATABASE_URL, resolution.ordered, clock, log),
    loadSigningKey(env.ORACLE_MNEMONIC),
  ])
  const undo: (() => Promise<unknown>)[] = [() => storage.close()]
  try {
    return await assemble({ options, settings, startedAt, onCatalog, clock, storage, loadedKey, undo })
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  }
}

/** How many keys of the plugins' own limits are counted at once: the phones of a country, not only its networks. */
const pluginKeys = 500_000

/** What an oracle is assembled from. */
interface Opened {
  readonly options: OracleAppOptions
  readonly settings: Settings
  readonly startedAt: number
  readonly onCatalog: (catalog: CapabilityCatalog) => void
  readonly clock: Clock
  readonly storage: Storage
  readonly loadedKey: LoadedKey
  /** What has to be taken back, the last first, when the boot fails. */
  readonly undo: (() => Promise<unknown>)[]
}

const profileOf = ({ env, config }: Settings): OracleProfile => ({
  name: env.ORACLE_NAME,
  ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
  ...(config.price === undefined ? {} : { price: config.price }),
})

const assemble = async (opened: Opened): Promise<OracleApp> => {
  const { options, settings, startedAt, onCatalog, clock, storage, undo } = opened
  const { env, resolution, models, log, bootLog } = settings
  const { key, problem: keyProblem } = opened.loadedKey
  const now = () => clock.now()
  const address: { port?: number } = {}
  const url = () => publicUrl(env, address.port)
  const publicDid = currentDidWeb(url)
  const auth = makeAuth({ storage, env, key, publicDid, now, log })
  const history = createKeyHistory(storage.for<KeyHistoryTables>())
  if (key) await history.record(key.did, now())
  const identity = hostIdentity({ key, publicDid, publicUrl: url, history, delegations: auth.delegations, now })
  const telemetry = await makeTelemetry(settings)
  const jobs = await openJobs({ storage, clock, logger: log, redact: settings.redact })
  const watchedJobs = watchJobs(jobs, telemetry, log)
  const turns = new LateTurns()
  const pluginCounter = makeRateCounter(storage, log, pluginKeys)
  const listeners = new OracleListeners(log)
  const ending = new AbortController()
  const tasks = new BackgroundTasks({
    log,
    onSettled: ({ name, durationMs = 0, reason }) =>
      bootLog.tell({ kind: 'settled', name, durationMs, ...(reason === undefined ? {} : { reason }) }),
  })
  const setUp = await setUpPlugins({
    plugins: resolution.ordered,
    env: settings.pluginEnv,
    log,
    hostFor: (plugin, pluginEnv, services) =>
      makeHost(
        {
          oracle: profileOf(settings),
          environment: env.NODE_ENV,
          access: { mode: env.ORACLE_ACCESS, controllers: env.ORACLE_CONTROLLERS },
          log,
          clock,
          identity,
          storage,
          jobs: watchedJobs,
          turns,
          counter: pluginCounter,
          model: role => models[role](),
          background: (name, task, start) => tasks.add(name, task, start),
          ending: ending.signal,
        },
        plugin,
        pluginEnv,
        services,
      ),
  })
  undo.push(() => setUp.dispose())
  const { plugins } = setUp
  const catalog = new CapabilityCatalog(
    plugins.map(({ plugin, parts }) => ({ name: plugin.name, manifest: plugin.manifest, parts })),
    log,
  )
  onCatalog(catalog)
  const made = makeTurnEngine({
    storage,
    plugins,
    catalog,
    env,
    model: bounds => models.main(bounds),
    modelName: models.name,
    modelProblem: models.state === 'ready' ? undefined : models.describe(),
    forgetExpired: at => auth.forgetExpired(at),
    now,
    log,
    telemetry,
  })
  turns.attach(pluginTurns(made.engine, made.sessions))
  const status = new PluginStatus({ plugins, excluded: resolution.excluded, tasks: () => tasks.list() })
  const capabilities = (forWhom: 'operator' | 'anybody') => capabilityRecords(status.list(), catalog, forWhom)
  const http = makeHttp({
    settings,
    plugins,
    environment: options.env ?? process.env,
    made,
    auth,
    identity,
    url,
    rateCounter: makeRateCounter(storage, log),
    ping: () => storage.ping(),
    capabilities,
    telemetry,
    now,
  })
  addOracleState(telemetry.metrics.registry, {
    runningTurns: () => made.engine.runningTurns,
    openStreams: () => made.engine.openStreams,
    jobs: () => jobs.counts(),
    plugins: () => status.list(),
    ping: () => storage.ping(),
    tokensUsed: () => made.budgets.usedByAll(),
    circuit: models.circuit,
  })
  const problems = [...setUp.problems, ...checkParts({ plugins, coreRoutes: http.coreDefinitions, log })]
  if (problems.length > 0) throw new BootError(problems)
  const interrupted = await made.recover()
  bootLog.tell(
    ...bootReport({
      env,
      plugins,
      excluded: resolution.excluded,
      tasks: tasks.list(),
      model: models.describe(),
      modelReady: models.state === 'ready',
      did: key?.did,
      keyProblem,
      interrupted,
    }),
  )
  const { app, routes } = http.build()
  undo.push(() => jobs.stop())
  await jobs.start()
  tasks.begin()
  return new RunningOracle({
    app,
    env,
    bootLog,
    listeners,
    tasks,
    ending,
    jobs,
    engine: made.engine,
    stopHousekeeping: made.keepHouse(),
    dispose: limitMs => setUp.dispose(limitMs),
    log,
    storage,
    telemetry,
    address,
    url,
    startedAt,
    identity,
    plugins: () => status.list(),
    capabilities: () => capabilities('operator'),
    routes,
  })
}
