import { randomUUID } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { CapabilityRecord, OracleRecord } from '@sibyl/protocol'
import { openStorage } from '@sibyl/storage'
import { LateTurns } from './agent/late-turns.ts'
import { pluginTurns } from './agent/plugin-turns.ts'
import { deadAfterMs, eventsKeptMs, TurnEngine } from './agent/turn-engine.ts'
import { TurnHookRunner } from './agent/turn-hooks.ts'
import { parseApiKeys } from './auth/api-keys.ts'
import { makeAuthentication } from './auth/make-authentication.ts'
import { didWebOf, hostIdentity, loadSigningKey } from './auth/oracle-identity.ts'
import { createReplayGuard } from './auth/replay-guard.ts'
import { systemClock } from './config/clock.ts'
import { publicUrl } from './config/core-env.ts'
import type { Environment } from './config/environment.ts'
import { loadEnv } from './config/load-env.ts'
import type { OracleConfig } from './config/oracle-config.ts'
import { BootError } from './errors/boot-error.ts'
import { coreRoutes } from './http/core-routes.ts'
import { createHttpApp, type OwnedRoute } from './http/http-app.ts'
import { type Listening, serve } from './http/serve.ts'
import { didDocument } from './http/well-known-routes.ts'
import type { Logger } from './logging/logger.ts'
import { silentLogger } from './logging/silent-logger.ts'
import { makeHost } from './plugins/make-host.ts'
import type { OraclePlugin } from './plugins/oracle-plugin.ts'
import { setUpPlugins } from './plugins/plugin-lifecycle.ts'
import type { Manifest } from './plugins/plugin-manifest.ts'
import { resolvePlugins } from './plugins/resolve-plugins.ts'
import { startHousekeeping } from './recovery/housekeeping.ts'
import { recoverTurns } from './recovery/recover-turns.ts'
import { createApprovalStore } from './sessions/approval-store.ts'
import { coreMigrations } from './sessions/core-migrations.ts'
import type { CoreTables } from './sessions/core-tables.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { createToolCallStore } from './sessions/tool-call-store.ts'
import { createTurnStore } from './sessions/turn-store.ts'
import { CapabilityCatalog } from './tools/capability-catalog.ts'
import { coreVersion } from './version.ts'

/** What `createOracleApp` takes. */
export interface OracleAppOptions {
  /** What `oracle.config.json` says. */
  readonly config?: OracleConfig
  readonly plugins: readonly OraclePlugin[]
  readonly features?: Readonly<Record<string, boolean>>
  readonly manifestOverrides?: Readonly<Record<string, Partial<Manifest>>>
  /** @default process.env */
  readonly env?: Environment
  readonly logger?: Logger
  /** Takes the place of the model that the environment names. */
  readonly model?: LanguageModelV4
}

/** A booted oracle. */
export interface OracleApp {
  fetch(request: Request, env?: object): Response | Promise<Response>
  request(path: string, init?: RequestInit): Promise<Response>
  listen(options?: { readonly host?: string; readonly port?: number }): Promise<{ host: string; port: number }>
  close(): Promise<void>
}

export const createOracleApp = async (options: OracleAppOptions): Promise<OracleApp> => {
  const env = options.env ?? process.env
  const now = () => systemClock.now()
  const resolution = resolvePlugins({ ...options, env, coreVersion })
  const settings = loadEnv({ env, config: options.config ?? {}, plugins: resolution.ordered })
  const problems = [...resolution.problems, ...settings.problems]
  if (problems.length > 0) throw new BootError(problems)
  const { core } = settings
  const log = options.logger ?? silentLogger
  const { key } = await loadSigningKey(core.ORACLE_MNEMONIC)
  let listening: Listening | undefined
  const url = () => publicUrl(core, listening?.port)
  const publicDid = () => didWebOf(url())
  const storage = await openStorage({ url: core.DATABASE_URL })
  await storage.migrate('core', coreMigrations)
  for (const plugin of resolution.ordered) await storage.migrate(plugin.name, plugin.migrations)
  const turns = new LateTurns()
  const model = async () => options.model!
  const identity = hostIdentity(key, publicDid, now)
  const setUp = await setUpPlugins({
    plugins: resolution.ordered,
    env: settings.plugins,
    log,
    hostFor: (plugin, pluginEnv, services) =>
      makeHost(
        { log, clock: systemClock, identity, storage, jobs: undefined as never, turns, model, background() {} },
        plugin,
        pluginEnv,
        services,
      ),
  })
  const coreStorage = storage.for<CoreTables>()
  const store = createTurnStore(coreStorage)
  const sessions = createSessionStore(coreStorage)
  const approvals = createApprovalStore(coreStorage)
  const toolCalls = createToolCallStore(coreStorage)
  const replayGuard = createReplayGuard(coreStorage)
  const hooks = new TurnHookRunner(
    setUp.plugins.flatMap(({ plugin, parts }) => (parts.turn ? [{ plugin: plugin.name, hooks: parts.turn }] : [])),
    log,
  )
  const catalog = new CapabilityCatalog(
    setUp.plugins.map(({ plugin, parts }) => ({ name: plugin.name, manifest: plugin.manifest, parts })),
  )
  const processId = randomUUID()
  const engine = new TurnEngine({
    store,
    hooks,
    modelProblem: undefined,
    modelName: 'model',
    processId,
    shared: storage.engine === 'postgres',
    services: {
      sessions,
      approvals,
      toolCalls,
      catalog,
      profile: { name: core.ORACLE_NAME },
      limits: {
        timeLimitMs: core.TURN_TIME_LIMIT_SECONDS * 1000,
        toolTimeLimitMs: core.TOOL_TIME_LIMIT_SECONDS * 1000,
        maxSteps: core.TURN_MAX_STEPS,
        maxTokens: core.TURN_MAX_TOKENS,
        historyTokens: core.HISTORY_MAX_TOKENS,
      },
      model,
      middleware: setUp.plugins.flatMap(({ parts }) => (parts.modelMiddleware ? [parts.modelMiddleware] : [])),
      now,
      log,
    },
  })
  turns.attach(pluginTurns(engine))
  await recoverTurns({ storage: coreStorage, turns: store, toolCalls, hooks, log, now }, now(), processId)
  const stopHousekeeping = startHousekeeping(coreStorage, replayGuard, eventsKeptMs, now, log)
  void deadAfterMs
  const record = (): OracleRecord => ({
    name: core.ORACLE_NAME,
    version: coreVersion,
    ...(key ? { did: key.did } : {}),
    publicDid: publicDid(),
    authentication: ['ucan'],
    access: core.ORACLE_ACCESS,
    endpoints: { chat: `${url()}/chat`, sessions: `${url()}/sessions`, capabilities: `${url()}/capabilities` },
  })
  const routes: OwnedRoute[] = [
    ...coreRoutes({
      health: { name: core.ORACLE_NAME, environment: core.NODE_ENV, ping: () => storage.ping(), now },
      engine,
      sessions,
      replayGuard,
      record,
      didDocument: () => didDocument(publicDid(), key?.did, url()),
      capabilities: (): CapabilityRecord[] => [],
    }),
    ...setUp.plugins.flatMap(({ plugin, parts }) => (parts.routes ?? []).map(route => ({ owner: plugin.name, route }))),
  ]
  const app = createHttpApp(
    routes,
    {
      authentication: makeAuthentication(key, publicDid, core.ORACLE_ACCESS, core.ORACLE_CONTROLLERS, now),
      replayGuard,
      operatorToken: core.ORACLE_OPERATOR_TOKEN,
      oracleDid: key?.did ?? publicDid(),
      apiKeys: variable => parseApiKeys(env[variable], ['read', 'write']),
    },
    log,
  )
  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    request: async (path, init) => app.request(path, init),
    async listen({ host = core.HOST, port = core.PORT } = {}) {
      listening = await serve((request, bindings) => app.fetch(request, bindings), host, port)
      return { host, port: listening.port }
    },
    async close() {
      stopHousekeeping()
      await engine.close()
      await listening?.close(2_000)
      await setUp.dispose()
      await storage.close()
    },
  }
}
