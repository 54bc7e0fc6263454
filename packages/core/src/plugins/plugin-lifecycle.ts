import { type Host, isBootError, type Logger, type OraclePlugin, type PluginParts } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import { storageErrors } from '@sibyl/storage'
import { switchOff } from '../config/env-problem.ts'
import type { PluginEnv } from '../config/load-env.ts'
import { databaseProblem } from '../errors/database-problem.ts'
import { describeType } from '../errors/describe-value.ts'
import { projectPlace } from '../errors/project-place.ts'
import { safeReason } from '../errors/safe-reason.ts'
import { withinTime } from '../time/time-limit.ts'
import { partShapes } from './part-shapes.ts'
import { pluginProblem } from './plugin-problem.ts'
import type { PluginServices, ServiceRegistry } from './service-registry.ts'

/** Time limit of a setup or a dispose. */
export const pluginTimeLimitMs = 10_000

export interface SetUpRequest {
  /** In dependency order, as returned by `resolvePlugins`. */
  readonly plugins: readonly OraclePlugin[]
  readonly env: ReadonlyMap<string, PluginEnv>
  /** Creates the host of a plugin; `services` gives access to those of others. */
  hostFor(plugin: OraclePlugin, env: PluginEnv, services: PluginServices): Host
  /** Gets the services that the plugins provide. */
  readonly services: ServiceRegistry
  readonly log: Logger
  /** Redacts secrets from the description of a failure. */
  redact?(text: string): string
  /** The folder of the project; failures show the file and line inside it. @default none are shown */
  readonly folder?: string | undefined
  /** For each setup and each dispose, in milliseconds. @default 10_000 */
  readonly timeLimitMs?: number
}

/** A plugin that is set up. */
export interface ReadyPlugin {
  readonly plugin: OraclePlugin
  readonly parts: PluginParts
  /** The duration of its setup. */
  readonly durationMs: number
}

/** A failed dispose, which is already logged. */
export interface DisposeFailure {
  readonly plugin: string
  readonly reason: string
}

/** The plugins that are set up, and the problems of the others. */
export interface SetUpResult {
  readonly plugins: readonly ReadyPlugin[]
  readonly problems: readonly BootProblem[]
  /**
   * Disposes in reverse order, only once; never rejects. Call it also after problems.
   *
   * @param limitMs The total time limit in milliseconds; each dispose may use half of the rest.
   */
  dispose(limitMs?: number): Promise<readonly DisposeFailure[]>
}

interface Failure {
  readonly plugin: string
  /** The error as text, or the problems that the setup reported. */
  readonly fault: string | readonly BootProblem[]
  /** The location of the failure in the project. */
  readonly place?: string | undefined
  /** The plugins that were not started because they require this one. */
  readonly dependants: string[]
}

/**
 * Sets up plugins one after the other, each with a time limit. A failed one is a problem that names it and its
 * dependents; the others continue, so that all problems are reported at once. Never rejects.
 */
export const setUpPlugins = async (request: SetUpRequest): Promise<SetUpResult> => {
  const { log, timeLimitMs = pluginTimeLimitMs } = request
  const { services } = request
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
    if (storageErrors.disk_full.is(result.error)) {
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

/** All part names: those of a class are on its prototype and not enumerable. */
const partNames = Object.keys(partShapes)

/** Reads each part once, with functions bound to the object that the setup returned; or returns the error. */
const readParts = (given: unknown): PluginParts | string => {
  if (!isObject(given)) {
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
  const at = place === undefined ? [] : [`At ${place}`]
  const lines = [fault, ...at, ...leftOut, `Fix it, or disable the plugin: ${switchOff(plugin)}`]
  return [pluginProblem({ code: 'plugin_setup_failed', plugin }, 'could not be set up', ...lines)]
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

/** Disposes one plugin; returns the reason of a failure. */
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
