import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Host, Logger } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'
import type { CapabilityRecord } from '@sibyl/protocol'
import type { OpenedJobs, RestoreWatch, Storage, StorageError } from '@sibyl/storage'
import type { Telemetry } from '@sibyl/telemetry'
import { type OracleAddress, oracleAddress } from '../auth/oracle-address.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { ConnectionShare } from '../http/connection-shares.ts'
import type { CoreEnvironment } from '../http/core-environment.ts'
import type { RouteRecord } from '../http/route-record.ts'
import { type Listening, serve, serverLimits } from '../http/serve.ts'
import type { BootLog } from '../logging/boot-log.ts'
import type { BackgroundTasks } from '../plugins/background-tasks.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import { withinTime } from '../time/time-limit.ts'
import type { TurnService } from '../turn/turn-service.ts'
import { settledFact } from './boot-report.ts'
import type { ListeningAddress, OracleApp, OracleEvents } from './oracle-app.ts'
import type { OracleListeners } from './oracle-listeners.ts'

/** Dependencies of a running oracle. */
export interface RunningOracleParts {
  readonly app: OpenAPIHono<CoreEnvironment>
  readonly env: CoreEnv
  readonly bootLog: BootLog
  readonly listeners: OracleListeners
  readonly tasks: BackgroundTasks
  /** Aborts when the shutdown begins, for plugins. */
  readonly ending: AbortController
  readonly jobs: OpenedJobs
  readonly turns: TurnService
  /** Returns a warning about the name of the model, if its provider lists others. */
  readonly unlistedModel?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined
  readonly stopMaintenance: () => Promise<void>
  /** Disposes the plugins, within a time limit. */
  readonly dispose: (limitMs: number) => Promise<unknown>
  readonly log: Logger
  readonly storage: Storage
  readonly restores: RestoreWatch
  readonly telemetry: Telemetry
  readonly address: OracleAddress
  /** `performance.now()` at the start of the boot. */
  readonly startedAt: number
  readonly identity: Host['identity']
  readonly plugins: () => readonly PluginRecord[]
  readonly capabilities: () => readonly CapabilityRecord[]
  readonly routes: readonly RouteRecord[]
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
  #listening: Listening | undefined
  #closing: Promise<void> | undefined

  constructor(parts: RunningOracleParts) {
    this.#parts = parts
    this.ready = parts.tasks.settled()
    this.failed = parts.storage.failed
    void this.failed.then(error =>
      parts.log.error('the database no longer accepts writes; restart the oracle', { error }),
    )
  }

  runJob(kind: string, data?: unknown): Promise<void> {
    return this.#parts.jobs.runNow(kind, data)
  }

  get identity(): OracleApp['identity'] {
    return { did: this.#parts.identity.did, publicDid: this.#parts.identity.publicDid }
  }

  fetch(request: Request, bindings: object = {}): Response | Promise<Response> {
    return this.#parts.app.fetch(request, bindings)
  }

  async request(path: string, init?: RequestInit): Promise<Response> {
    return this.#parts.app.request(path, init)
  }

  async listen(options: { readonly host?: string; readonly port?: number } = {}): Promise<ListeningAddress> {
    const { app, env, address, bootLog, listeners, startedAt } = this.#parts
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
    const answer = (request: Request, bindings: object) => app.fetch(request, bindings)
    this.#listening = await serve(answer, host, options.port ?? env.PORT, limits, env.PUBLIC_URL)
    const { port } = this.#listening
    Object.assign(address, oracleAddress(env, port))
    const listening = {
      host,
      port,
      url: `http://${host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host}:${port}`,
    }
    const durationMs = performance.now() - startedAt
    // A server has no `sibyl`: npx would request a package of that name.
    const notes = env.NODE_ENV === 'production' ? [] : [`to chat: ${chatCommand(listening.url)}`]
    bootLog.report({ kind: 'listening', url: listening.url, notes })
    listeners.report('listening', listening)
    void this.#reportReady(durationMs)
    void this.#reportModel()
    return listening
  }

  close({ graceMs = this.#parts.env.SHUTDOWN_GRACE_SECONDS * 1000 } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  plugins(): readonly PluginRecord[] {
    return this.#parts.plugins()
  }

  capabilities(): readonly CapabilityRecord[] {
    return this.#parts.capabilities()
  }

  routes(): readonly RouteRecord[] {
    return this.#parts.routes
  }

  on<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void {
    return this.#parts.listeners.add(event, listener)
  }

  async #reportReady(durationMs: number): Promise<void> {
    const { tasks, bootLog, listeners } = this.#parts
    await tasks.settled()
    if (this.#closing) return
    const records = this.plugins()
    const waited = tasks.list().map(task => settledFact(task, records))
    bootLog.report({ kind: 'ready', durationMs, ...(waited.length > 0 ? { waited } : {}) })
    listeners.report('ready', { durationMs })
  }

  async #reportModel(): Promise<void> {
    const { unlistedModel, ending, bootLog } = this.#parts
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(modelListMs)])
    const text = await unlistedModel?.(signal)
    if (text !== undefined && !this.#closing) bootLog.report({ kind: 'model', text, warn: true })
  }

  async #close(graceMs: number): Promise<void> {
    const { turns, stopMaintenance, ending, jobs, tasks, dispose, telemetry, listeners, log } = this.#parts
    const { storage, restores } = this.#parts
    const step = stepsUntil(Math.max(graceMs, afterTurnsMs), log)
    ending.abort()
    const maintenanceEnded = stopMaintenance()
    const connectionsEnded = this.#listening?.stop()
    await step('running turns', reserveMs.turns, () => turns.close(Math.max(0, graceMs - afterTurnsMs)))
    await step('housekeeping', reserveMs.turns, () => maintenanceEnded)
    const jobsEnded = step('jobs', reserveMs.jobs, limitMs => jobs.stop({ graceMs: limitMs }))
    await withinTime(() => connectionsEnded, { limitMs: lastAnswersMs })
    this.#listening?.cut()
    await jobsEnded
    await step('background tasks', reserveMs.tasks, () => tasks.close())
    await step('plugins', reserveMs.dispose, limitMs => dispose(limitMs))
    await step('traces', reserveMs.traces, limitMs => telemetry.close(Math.min(limitMs, flushLimitMs)))
    await step('the identifier of the database', reserveMs.mark, () => restores.check())
    await step('database', 0, () => storage.close())
    listeners.report('closed', undefined)
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
