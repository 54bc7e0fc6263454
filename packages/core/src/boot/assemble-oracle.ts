import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { SigningKey } from '@sibyl/identity'
import {
  type BootProblem,
  type Clock,
  type HostIdentity,
  makeOriginOf,
  makeShareOf,
  type OraclePlugin,
  type OracleProfile,
  type PluginParts,
} from '@sibyl/plugin'
import { type CapabilityRecord, personFiles, turnPrices } from '@sibyl/protocol'
import { type OpenedJobs, openJobs, type RestoreWatch, type Storage } from '@sibyl/storage'
import { makeTelemetry, type Telemetry, watchJobs } from '@sibyl/telemetry'
import { makeAuth } from '../auth/make-auth.ts'
import { currentDidWeb, hostIdentity } from '../auth/oracle-identity.ts'
import { maxAttachmentBytes, publicUrl } from '../config/core-env.ts'
import { fileVariables } from '../config/file-variables.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createKeyHistory } from '../did/key-history.ts'
import { RouteRegistry } from '../http/route-record.ts'
import { makeRateCounter } from '../limits/make-rate-counter.ts'
import { coreRecords } from '../people/core-records.ts'
import { createErasureLimit } from '../people/erasure-limit.ts'
import { BackgroundTasks } from '../plugins/background-tasks.ts'
import { checkParts } from '../plugins/check-parts.ts'
import { makeHost, type SharedHostParts } from '../plugins/make-host.ts'
import { makePeople } from '../plugins/make-people.ts'
import { createPeopleChannels } from '../plugins/people-channels.ts'
import { type SetUpResult, setUpPlugins } from '../plugins/plugin-lifecycle.ts'
import { PluginRegistry } from '../plugins/plugin-registry.ts'
import { PluginStatus } from '../plugins/plugin-status.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'
import { type MadeTurns, makeTurns } from '../turn/make-turns.ts'
import { TurnHookRunner } from '../turn/store/turn-hooks.ts'
import { settledFact } from './boot-report.ts'
import { adapterRecords, capabilityRecords, hostCapabilities } from './capability-records.ts'
import { coreVersion } from './core-version.ts'
import { type MadeHttp, makeHttp } from './make-http.ts'
import { makePorts, withPorts } from './make-ports.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import { oracleRecord } from './oracle-record.ts'
import { addOracleState } from './oracle-state-metrics.ts'
import type { Settings } from './read-settings.ts'

/** Maximum keys of the limits of plugins: enough for every phone of a country. */
const pluginKeys = 500_000

/** Opened dependencies of an oracle. */
export interface Opened {
  readonly options: OracleAppOptions
  readonly settings: Settings
  readonly clock: Clock
  readonly storage: Storage
  readonly restores: RestoreWatch
  /** Whether this start found the database restored from a backup. */
  readonly isRestored: boolean
  /** The signing key; undefined without a mnemonic. */
  readonly key: SigningKey | undefined
  /** Steps that are undone in reverse order when the boot fails. */
  readonly undo: (() => Promise<unknown>)[]
}

/** An oracle with all its components, before anything runs. */
export interface AssembledOracle {
  readonly setUp: SetUpResult
  readonly catalog: CapabilityCatalog
  readonly status: PluginStatus
  readonly turns: MadeTurns
  readonly http: MadeHttp
  readonly jobs: OpenedJobs
  readonly tasks: BackgroundTasks
  readonly telemetry: Telemetry
  readonly identity: HostIdentity
  /** The did:key that the database recorded last, if it differs from the current one. */
  readonly formerDid: string | undefined
  /** Aborts when the shutdown begins, for plugins. */
  readonly ending: AbortController
  /** The port is set once it is known. */
  readonly address: { port?: number }
  readonly url: () => string
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilityRecord[]
  /** The problems that prevent a start. */
  readonly problems: readonly BootProblem[]
}

const profileOf = ({ env, config }: Settings): OracleProfile => ({
  name: env.ORACLE_NAME,
  ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
  ...(config.price === undefined ? {} : { price: config.price }),
})

/** Whether the agent can load a plugin: an adapter only if it has tools. */
const offersTools = ({ isAdapter }: OraclePlugin, { tools, capabilities }: PluginParts): boolean =>
  !isAdapter || tools !== undefined || capabilities !== undefined

/** Sets up the plugins and assembles an oracle. */
export const assembleOracle = async (opened: Opened): Promise<AssembledOracle> => {
  const { options, settings, clock, storage, restores, key, undo } = opened
  const { env, resolution, models, catalog, log, bootLog } = settings
  const now = () => clock.now()
  const address: { port?: number } = {}
  const url = () => publicUrl(env, address.port)
  const publicDid = currentDidWeb(url)
  const environment = options.env ?? process.env
  const auth = makeAuth({ storage, env, environment, key, publicDid, now, log })
  const history = createKeyHistory(storage.for<CoreTables>())
  const formerDid = key && (await history.record(key.did, now()))
  const identity = hostIdentity({ key, publicDid, publicUrl: url, history, delegations: auth.delegations, now })
  const { redact } = settings.redactor
  const telemetry = await makeTelemetry({ ...settings, version: coreVersion, redact })
  const jobs = await openJobs({ storage, clock, logger: log, redact })
  const watchedJobs = watchJobs(jobs, telemetry, log)
  const shareOf = makeShareOf({
    access: env.ORACLE_ACCESS,
    percent: env.LIMIT_SHARE_PERCENT,
    trusted: () => [...env.ORACLE_CONTROLLERS, identity.did ?? '', identity.publicDid],
  })
  const registry = new PluginRegistry()
  const hooks = new TurnHookRunner(log)
  const middleware: LanguageModelV4Middleware[] = []
  const turns = makeTurns({
    storage,
    registry,
    catalog,
    hooks,
    middleware,
    env,
    model: bounds => models.main(bounds),
    modelName: models.name,
    modelProblem: models.state === 'ready' ? undefined : models.describe(),
    attachments: () => ({
      files: setUp.service(personFiles),
      inputs: models.inputs,
      maxBytes: maxAttachmentBytes(env),
    }),
    shareOf,
    forgetExpired: (at, signal) => auth.forgetExpired(at, signal),
    checkRestore: () => restores.check(),
    checkGrant: auth.checkGrant,
    prices: () => setUp.service(turnPrices),
    now,
    log,
    telemetry,
  })
  const people = makePeople({
    turns,
    log,
    core: coreRecords(storage.for<CoreTables>()),
    async isOracle(did) {
      return did === publicDid() || did === key?.did || (await history.list()).some(one => one.did === did)
    },
    plugins: () =>
      registry.plugins.flatMap(({ plugin: { name }, parts: { personalRecords: records } }) =>
        records ? [{ name, records }] : [],
      ),
  })
  const originOf = makeOriginOf(env.ORACLE_ACCESS, key)
  const pluginCounter = makeRateCounter(storage, log, pluginKeys)
  const ending = new AbortController()
  const variable = fileVariables({
    env: environment,
    schemas: [...resolution.ordered, ...resolution.excluded.map(({ plugin }) => plugin)].flatMap(
      ({ env }) => env ?? [],
    ),
    addSecret: value => settings.redactor.add(value),
  })
  const tasks = new BackgroundTasks({
    log,
    redact,
    onSettled: task => bootLog.report(settledFact(task, status.list())),
  })
  const shared: SharedHostParts = {
    oracle: profileOf(settings),
    capabilities: () => hostCapabilities(catalog, resolution.ordered),
    environment: env.NODE_ENV,
    variable,
    access: { mode: env.ORACLE_ACCESS, controllers: env.ORACLE_CONTROLLERS },
    log,
    clock,
    identity,
    storage,
    jobs: watchedJobs,
    turns: turns.forPlugins,
    grants: { check: auth.checkGrant, isOfOperator: auth.isOperatorGrant },
    people,
    restoredAt: () => restores.restoredAt,
    counter: pluginCounter,
    shareOf,
    originOf,
    model: role => models[role](),
    background: (name, task, start) => tasks.add(name, task, start),
    ending: ending.signal,
  }
  const setUpRequest = {
    env: settings.pluginEnv,
    log,
    redact,
    folder: env.NODE_ENV === 'development' ? process.cwd() : undefined,
  }
  const setUp = await setUpPlugins({
    ...setUpRequest,
    plugins: resolution.ordered,
    hostFor: (plugin, pluginEnv, services) => makeHost(shared, plugin, pluginEnv, services),
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
  const status = new PluginStatus({ plugins, excluded: resolution.excluded, tasks: () => tasks.list(), redact })
  const capabilities = (forWhom: 'operator' | 'public') => capabilityRecords(status.list(), catalog, forWhom)
  const capabilitiesFor = (forWhom: 'operator' | 'public') => ({
    capabilities: capabilities(forWhom),
    adapters: adapterRecords(status.list(), plugins, forWhom),
  })
  const rateCounter = makeRateCounter(storage, log)
  const peopleChannels = createPeopleChannels(
    () =>
      plugins.flatMap(({ plugin: { name }, parts: { personalRecords } }) =>
        personalRecords?.channels ? [{ name, channels: personalRecords.channels }] : [],
      ),
    log,
  )
  const routes = new RouteRegistry()
  const record = () => oracleRecord({ settings, auth, identity, url, plugins })
  const ports = makePorts({
    settings,
    storage,
    jobs,
    plugins,
    status,
    turns,
    auth,
    peopleChannels,
    oracleRecord: record,
    url,
    routes,
    counters: [rateCounter, pluginCounter],
    capabilities: capabilitiesFor,
  })
  const services = withPorts(ports, setUp)
  const partsOfCore = await setUpPlugins({
    ...setUpRequest,
    plugins: resolution.partsOfCore,
    hostFor: (part, partEnv) => makeHost(shared, part, partEnv, services),
  })
  const http = makeHttp({
    settings,
    plugins,
    turns,
    files: () => setUp.service(personFiles),
    auth,
    identity,
    people,
    erasureLimit: createErasureLimit(storage.for<CoreTables>(), now),
    peopleChannels,
    url,
    rateCounter,
    originOf,
    shareOf,
    ping: () => storage.ping(),
    restoredAt: () => restores.restoredAt,
    capabilities: capabilitiesFor,
    telemetry,
    record,
    routes,
    partRoutes: partsOfCore.plugins.flatMap(({ parts }) => parts.routes ?? []),
    now,
  })
  addOracleState(telemetry.metrics.registry, {
    runningTurns: () => turns.service.runningTurns,
    openStreams: () => turns.service.openStreams,
    jobs: () => jobs.counts(),
    plugins: () => status.list(),
    ping: () => storage.ping(),
    tokensUsed: () => turns.budgets.usedByAll(),
    circuit: models.circuit,
  })
  const problems = [
    ...setUp.problems,
    ...partsOfCore.problems,
    ...checkParts({ plugins, coreRoutes: http.coreDefinitions, log }),
  ]
  return {
    setUp,
    catalog,
    status,
    turns,
    http,
    jobs,
    tasks,
    telemetry,
    identity,
    formerDid,
    ending,
    address,
    url,
    capabilities,
    problems,
  }
}
