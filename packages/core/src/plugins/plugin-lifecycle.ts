import {
  type BootProblem,
  type Host,
  isBootError,
  type Logger,
  type OraclePlugin,
  type PluginParts,
} from '@sibyl/plugin'
import type { ServiceToken } from '@sibyl/protocol'
import { DiskFullError } from '@sibyl/storage'
import { switchOff } from '../config/env-problem.ts'
import type { PluginEnv } from '../config/load-env.ts'
import { databaseProblem } from '../errors/database-problem.ts'
import { describeType } from '../errors/describe-value.ts'
import { projectPlace } from '../errors/project-place.ts'
import { safeReason } from '../errors/safe-reason.ts'
import { withinTime } from '../time/time-limit.ts'
import { partShapes } from './part-shapes.ts'
import { type PluginServices, ServiceRegistry } from './service-registry.ts'

/** How long a setup or a dispose may take. */
export const pluginTimeLimitMs = 10_000

/** What `setUpPlugins` takes. */
export interface SetUpRequest {
  /** In dependency order, as `resolvePlugins` gives them. */
  readonly plugins: readonly OraclePlugin[]
  readonly env: ReadonlyMap<string, PluginEnv>
  /** Makes what a plugin gets; `services` are its ways to the services of others. */
  hostFor(plugin: OraclePlugin, env: PluginEnv, services: PluginServices): Host
  readonly log: Logger
  /** Strikes secrets out of what is told of a failure. */
  redact?(text: string): string
  /** The project's folder, where failures show the file and line inside it. @default none are shown */
  readonly folder?: string | undefined
  /** For each setup and each dispose, in milliseconds. @default 10_000 */
  readonly timeLimitMs?: number
}

/** A plugin that is set up. */
export interface ReadyPlugin {
  readonly plugin: OraclePlugin
  readonly parts: PluginParts
  /** What its setup took. */
  readonly durationMs: number
}

/** A dispose that failed; it is in the log. */
export interface DisposeFailure {
  readonly plugin: string
  readonly reason: string
}

/** The plugins that are set up, and what went wrong with the others. */
export interface SetUpResult {
  readonly plugins: readonly ReadyPlugin[]
  readonly problems: readonly BootProblem[]
  /** The service under a token, for core; undefined where no plugin offers it. */
  service<Service>(token: ServiceToken<Service>): Service | undefined
  /**
   * Disposes in reverse order, once however often it is called; never rejects. Call it also after problems.
   *
   * @param limitMs How long all may take together, in milliseconds; one may take half of what is left.
   */
  dispose(limitMs?: number): Promise<readonly DisposeFailure[]>
}

interface Failure {
  readonly plugin: string
  /** In words, or the problems that the setup told itself. */
  readonly fault: string | readonly BootProblem[]
  /** Where in the project it failed. */
  readonly place?: string | undefined
  /** The plugins left out because they require this one. */
  readonly dependants: string[]
}

/**
 * Sets plugins up one after the other, each under a time limit. One that fails is a problem that names it and the
 * plugins left out for it; the rest goes on, so that all problems come at once. Never rejects.
 */
export const setUpPlugins = async (request: SetUpRequest): Promise<SetUpResult> => {
  const { log, timeLimitMs = pluginTimeLimitMs } = request
  const services = new ServiceRegistry(log)
  const ready: ReadyPlugin[] = []
  const failures = new Map<string, Failure>()
  const serviceProblems: BootProblem[] = []
  for (const plugin of request.plugins) {
    const culprit = plugin.requires.map(name => failures.get(name)).find(failure => failure !== undefined)
    if (culprit) {
      culprit.dependants.push(plugin.name)
      failures.set(plugin.name, culprit)
      continue
    }
    const result = await setUp(plugin, services.for(plugin), request)
    if ('fault' in result) {
      failures.set(plugin.name, { plugin: plugin.name, fault: result.fault, place: result.place, dependants: [] })
      continue
    }
    ready.push(result)
    serviceProblems.push(...services.add(plugin.name, result.parts.services))
  }
  let disposing: Promise<readonly DisposeFailure[]> | undefined
  return {
    plugins: ready,
    problems: [...new Set(failures.values())].flatMap(setupProblems).concat(serviceProblems),
    service: token => services.find(token),
    dispose(limitMs) {
      disposing ??= disposeAll(ready, { timeLimitMs, limitMs }, log)
      return disposing
    },
  }
}

const setUp = async (
  plugin: OraclePlugin,
  services: PluginServices,
  { env, hostFor, log, redact = text => text, folder, timeLimitMs = pluginTimeLimitMs }: SetUpRequest,
): Promise<ReadyPlugin | Pick<Failure, 'fault' | 'place'>> => {
  const startedAt = performance.now()
  const { name } = plugin
  const late = (parts: PluginParts | string) => {
    if (typeof parts !== 'string') void disposeOne({ plugin, parts, durationMs: 0 }, timeLimitMs, log)
  }
  const result = await withinTime(
    async () => readParts(await plugin.setup(hostFor(plugin, env.get(name) ?? {}, services))),
    { limitMs: timeLimitMs, late },
  )
  if (result.outcome === 'failed') {
    if (isBootError(result.error)) return { fault: result.error.problems }
    log.error("a plugin's setup failed", { plugin: name, error: result.error })
    if (result.error instanceof DiskFullError) {
      return { fault: [databaseProblem(`the setup of plugin '${name}'`, result.error)] }
    }
    const place = folder === undefined ? undefined : projectPlace(result.error, folder)
    return { fault: sentence(redact(safeReason(result.error))), place }
  }
  if (result.outcome !== 'done') return { fault: `It did not finish within ${timeLimitMs / 1000} s.` }
  const { value: parts } = result
  if (typeof parts === 'string') return { fault: parts }
  return { plugin, parts, durationMs: Math.round(performance.now() - startedAt) }
}

/** All part names: those of a class are on its prototype, where no enumeration finds them. */
const partNames = Object.keys(partShapes)

/** The parts, each read once, with their functions bound to what the setup gave back; or what is wrong with that. */
const readParts = (given: unknown): PluginParts | string => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return `It returned ${describeType(given)}, not an object of parts; return {} if it adds none.`
  }
  const source = given as Readonly<Record<string, unknown>>
  const names = new Set([...Object.keys(source), ...partNames])
  const read = (name: string): [string, unknown] => {
    const part = source[name]
    return [name, typeof part === 'function' ? part.bind(source) : part]
  }
  return Object.fromEntries([...names].map(read).filter(([, part]) => part !== undefined))
}

const setupProblems = ({ plugin, fault, place, dependants }: Failure): BootProblem[] => {
  const leftOut = dependants.length > 0 ? [`Not started because they require it: ${dependants.join(', ')}.`] : []
  if (typeof fault !== 'string') {
    return fault.map((problem, index) => ({
      plugin,
      ...problem,
      lines: index === 0 ? [...problem.lines, ...leftOut] : problem.lines,
    }))
  }
  return [
    {
      code: 'plugin_setup_failed',
      headline: `Plugin '${plugin}' could not be set up`,
      lines: [
        fault,
        ...(place === undefined ? [] : [`At ${place}`]),
        ...leftOut,
        `Fix it, or disable the plugin: ${switchOff(plugin)}`,
      ],
      plugin,
    },
  ]
}

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

const disposeAll = async (
  ready: readonly ReadyPlugin[],
  {
    timeLimitMs,
    limitMs = Number.POSITIVE_INFINITY,
  }: { readonly timeLimitMs: number; readonly limitMs?: number | undefined },
  log: Logger,
): Promise<readonly DisposeFailure[]> => {
  const failures: DisposeFailure[] = []
  const lastMoment = performance.now() + limitMs
  for (const one of ready.toReversed()) {
    const left = Math.max(0, lastMoment - performance.now())
    const reason = await disposeOne(one, Math.min(timeLimitMs, left / 2), log)
    if (reason !== undefined) failures.push({ plugin: one.plugin.name, reason })
  }
  return failures
}

/** Disposes one plugin; gives the reason when that failed. */
const disposeOne = async (
  { plugin, parts }: ReadyPlugin,
  timeLimitMs: number,
  log: Logger,
): Promise<string | undefined> => {
  const result = await withinTime(() => parts?.dispose?.(), { limitMs: timeLimitMs })
  if (result.outcome === 'done') return undefined
  const error = result.outcome === 'failed' ? { error: result.error } : {}
  const reason =
    result.outcome === 'failed' ? safeReason(result.error) : `did not finish within ${Math.round(timeLimitMs) / 1000} s`
  log.error("a plugin's dispose failed", { plugin: plugin.name, reason, ...error })
  return reason
}
