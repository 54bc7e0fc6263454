import type { Logger } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'
import type { CapabilityRecord } from '@sibyl/protocol'
import type { StorageError } from '@sibyl/storage'
import { oracleAddress } from '../auth/oracle-address.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { ConnectionShare } from '../http/connection-shares.ts'
import type { RouteRecord } from '../http/route-record.ts'
import { type Listening, serve, serverLimits } from '../http/serve.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import { withinTime } from '../time/time-limit.ts'
import type { AssembledOracle } from './assemble-oracle.ts'
import { settledFact } from './boot-report.ts'
import type { MadeHttp } from './make-http.ts'
import type { Opened } from './make-kernel.ts'
import type { ListeningAddress, OracleApp, OracleEvents } from './oracle-app.ts'

export interface RunningOracleParts {
  readonly opened: Opened
  readonly oracle: AssembledOracle
  readonly served: ReturnType<MadeHttp['build']>
  readonly stopMaintenance: () => Promise<void>
  /** `performance.now()` at the start of the boot. */
  readonly startedAt: number
}

/** Time of the shutdown for the steps after the turns, in milliseconds. */
const afterTurnsMs = 5_000

/** Time limit for connections after the last turn, in milliseconds. */
const lastAnswersMs = 1_000

/** Time before the deadline at which each step is abandoned, in milliseconds, so that the next ones have time. */
const reserveMs = { turns: 2_500, jobs: 1_700, tasks: 1_400, dispose: 600, traces: 300, mark: 150 } as const

/** Time limit of the list of models of the provider, in milliseconds. */
const modelListMs = 10_000

/** Time limit for sending the remaining traces, in milliseconds. */
const flushLimitMs = 2_000

/** The oracle that `createOracleApp` returns. */
export class RunningOracle implements OracleApp {
  readonly ready: Promise<void>
  readonly failed: Promise<StorageError>
  readonly #parts: RunningOracleParts
  readonly #listeners: OracleListeners
  #listening: Listening | undefined
  #closing: Promise<void> | undefined

  constructor(parts: RunningOracleParts) {
    const { log } = parts.opened.settings
    this.#parts = parts
    this.#listeners = new OracleListeners(log)
    this.ready = parts.oracle.tasks.settled()
    this.failed = parts.opened.storage.failed
    void this.failed.then(error => log.error('the database no longer accepts writes; restart the oracle', { error }))
  }

  runJob(kind: string, data?: unknown): Promise<void> {
    return this.#parts.oracle.kernel.jobs.runNow(kind, data)
  }

  get identity(): OracleApp['identity'] {
    const { did, publicDid } = this.#parts.oracle.kernel.identity
    return { did, publicDid }
  }

  fetch(request: Request, bindings: object = {}): Response | Promise<Response> {
    return this.#parts.served.app.fetch(request, bindings)
  }

  async request(path: string, init?: RequestInit): Promise<Response> {
    return this.#parts.served.app.request(path, init)
  }

  async listen(options: { readonly host?: string; readonly port?: number } = {}): Promise<ListeningAddress> {
    const { opened, oracle, served, startedAt } = this.#parts
    const { env, bootLog } = opened.settings
    const host = options.host ?? env.HOST
    const requestMs = env.REQUEST_TIME_LIMIT_SECONDS * 1000
    const limits = {
      ...serverLimits,
      requestMs,
      stallMs: Math.max(serverLimits.stallMs, requestMs * 2),
      maxConnections: env.MAX_CONNECTIONS,
      backlog: env.CONNECTION_BACKLOG,
      ...(env.ORACLE_ACCESS === 'open' ? { perAddress: connectionShare(env) } : {}),
    }
    const answer = (request: Request, bindings: object) => served.app.fetch(request, bindings)
    this.#listening = await serve(answer, host, options.port ?? env.PORT, limits, env.PUBLIC_URL)
    const { port } = this.#listening
    Object.assign(oracle.kernel.address, oracleAddress(env, port))
    const listening = {
      host,
      port,
      url: `http://${host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host}:${port}`,
    }
    const durationMs = performance.now() - startedAt
    // A server has no `sibyl`: npx would request a package of that name.
    const notes = env.NODE_ENV === 'production' ? [] : [`to chat: ${chatCommand(listening.url)}`]
    bootLog.report({ kind: 'listening', url: listening.url, notes })
    this.#listeners.report('listening', listening)
    void this.#reportReady(durationMs)
    void this.#reportModel()
    return listening
  }

  close({ graceMs = this.#parts.opened.settings.env.SHUTDOWN_GRACE_SECONDS * 1000 } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  plugins(): readonly PluginRecord[] {
    return this.#parts.oracle.status.list()
  }

  capabilities(): readonly CapabilityRecord[] {
    return this.#parts.oracle.capabilities('operator').capabilities
  }

  routes(): readonly RouteRecord[] {
    return this.#parts.served.routes
  }

  on<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void {
    return this.#listeners.add(event, listener)
  }

  async #reportReady(durationMs: number): Promise<void> {
    const { tasks } = this.#parts.oracle
    await tasks.settled()
    if (this.#closing) return
    const records = this.plugins()
    const waited = tasks.list().map(task => settledFact(task, records))
    this.#parts.opened.settings.bootLog.report({ kind: 'ready', durationMs, ...(waited.length > 0 ? { waited } : {}) })
    this.#listeners.report('ready', { durationMs })
  }

  async #reportModel(): Promise<void> {
    const { opened, oracle } = this.#parts
    const { env, models, bootLog } = opened.settings
    if (env.LLM_MODEL_CHECK !== 'on') return
    const signal = AbortSignal.any([oracle.kernel.ending.signal, AbortSignal.timeout(modelListMs)])
    const text = await models.unlisted?.(signal)
    if (text !== undefined && !this.#closing) bootLog.report({ kind: 'model', text, warn: true })
  }

  async #close(graceMs: number): Promise<void> {
    const { opened, oracle, stopMaintenance } = this.#parts
    const { turns, tasks, setUp } = oracle
    const { ending, jobs, telemetry, restores } = oracle.kernel
    const step = stepsUntil(Math.max(graceMs, afterTurnsMs), opened.settings.log)
    ending.abort()
    const maintenanceEnded = stopMaintenance()
    const connectionsEnded = this.#listening?.stop()
    await step('running turns', reserveMs.turns, () => turns.service.close(Math.max(0, graceMs - afterTurnsMs)))
    await step('housekeeping', reserveMs.turns, () => maintenanceEnded)
    const jobsEnded = step('jobs', reserveMs.jobs, limitMs => jobs.stop({ graceMs: limitMs }))
    await withinTime(() => connectionsEnded, { limitMs: lastAnswersMs })
    this.#listening?.cut()
    await jobsEnded
    await step('background tasks', reserveMs.tasks, () => tasks.close())
    await step('plugins', reserveMs.dispose, limitMs => setUp.dispose(limitMs))
    await step('traces', reserveMs.traces, limitMs => telemetry.close(Math.min(limitMs, flushLimitMs)))
    await step('the identifier of the database', reserveMs.mark, () => restores.check())
    await step('database', 0, () => opened.storage.close())
    this.#listeners.report('closed', undefined)
  }
}

/** A step of the shutdown; it may run until this time before the deadline. */
type Step = (part: string, reserveMs: number, work: (limitMs: number) => unknown) => Promise<void>

/** Creates the steps of a shutdown with a deadline. */
const stepsUntil = (limitMs: number, log: Logger): Step => {
  const lastMoment = performance.now() + limitMs
  return async (part, reserve, work) => {
    const leftMs = Math.max(0, lastMoment - reserve - performance.now())
    const result = await withinTime(() => work(leftMs), { limitMs: leftMs })
    if (result.outcome === 'done') return
    const error = result.outcome === 'failed' ? { error: result.error } : {}
    log.warn('a component of the oracle did not stop in time', { part, ...error })
  }
}

/** Returns the share of connections of one address; proxies, by default all private networks, connect for others. */
const connectionShare = ({ MAX_CONNECTIONS, LIMIT_SHARE_PERCENT, TRUST_PROXY_FROM }: CoreEnv): ConnectionShare => ({
  max: Math.max(1, Math.floor((MAX_CONNECTIONS * LIMIT_SHARE_PERCENT) / 100)),
  except: TRUST_PROXY_FROM,
})

/** Returns the chat command, with the address unless it is the default of `sibyl chat`. */
const chatCommand = (url: string): string =>
  `${sibylCommand(process.env, 'npx sibyl')} chat${url === 'http://localhost:3000' ? '' : ` --url ${url}`}`

/** The listeners for events of an oracle; errors of a listener are logged. */
class OracleListeners {
  readonly #log: Logger
  readonly #listeners = new Map<keyof OracleEvents, Set<(detail: never) => void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a listener; the returned function removes it. */
  add<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Notifies the listeners. */
  report<Name extends keyof OracleEvents>(event: Name, detail: OracleEvents[Name]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(detail as never)
      } catch (error) {
        this.#log.error('a listener failed', { event, error })
      }
    }
  }
}
