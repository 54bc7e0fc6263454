import type { LanguageModelV4 } from '@ai-sdk/provider'
import { givenLanguageModel, type LanguageModels, resolveLanguageModels, systemPace } from '@sibyl/models'
import type { Logger } from '@sibyl/plugin'
import { type BootProblem, systemClock } from '@sibyl/plugin/host'
import {
  contextLogger,
  createPinoLogger,
  LogTap,
  SecretRedactor,
  standardOutput,
  teeLogger,
  WorkContext,
  wantsColour,
} from '@sibyl/telemetry'
import { type CoreEnv, coreEnvSchema } from '../config/core-env.ts'
import { envProblem } from '../config/env-problem.ts'
import { type Environment, settingOf } from '../config/environment.ts'
import { type LoadedEnv, loadEnv } from '../config/load-env.ts'
import { mistypedVariables } from '../config/mistyped-variables.ts'
import type { OracleConfig } from '../config/oracle-config.ts'
import { type BootLog, createBootLog } from '../logging/boot-log.ts'
import { archiveProblems } from '../maintenance/retention-job.ts'
import { outdatedRanges } from '../plugins/outdated-ranges.ts'
import { type Resolution, resolvePlugins } from '../plugins/resolve-plugins.ts'
import { CapabilityCatalog } from '../tools/capability-catalog.ts'
import { coreVersion } from './core-version.ts'
import type { OracleAppOptions } from './oracle-app.ts'

/** The settings, read before anything is opened. */
export interface Settings {
  readonly env: CoreEnv
  readonly config: OracleConfig
  readonly pluginEnv: LoadedEnv['plugins']
  readonly resolution: Resolution
  readonly models: LanguageModels
  /**
   * The capabilities that the agent can load; filled when the plugins are set up. The offline model answers from it.
   */
  readonly catalog: CapabilityCatalog
  readonly log: Logger
  /** The context of the running code; `log` adds it to each line. */
  readonly work: WorkContext
  /** Redacts secret settings, and variables named in files of the operator, from text. */
  readonly redactor: SecretRedactor
  readonly bootLog: BootLog
  /** Passes on the lines of the log. */
  readonly logTap: LogTap
  readonly problems: readonly BootProblem[]
  /** Remarks on valid settings. */
  readonly remarks: readonly string[]
}

/** Reads plugins, environment and config, and selects logger and models. Opens nothing. */
export const readSettings = (options: OracleAppOptions): Settings => {
  const given = options.env ?? process.env
  const resolution = resolvePlugins({
    plugins: options.plugins,
    adapters: options.adapters ?? [],
    env: given,
    coreVersion,
    outdated: () => outdatedRanges(process.cwd(), coreVersion),
    ...(options.features ? { features: options.features } : {}),
    ...(options.manifestOverrides ? { manifestOverrides: options.manifestOverrides } : {}),
  })
  const loaded = loadEnv({ env: given, config: options.config ?? {}, plugins: resolution.ordered })
  const redactor = new SecretRedactor(loaded.secrets)
  const logTap = new LogTap()
  const { log: plainLog, bootLog } = chooseLog(options, loaded, redactor, logTap)
  const work = new WorkContext()
  const log = contextLogger(plainLog, () => work.current?.fields)
  const clock = options.clock ?? systemClock
  const calls = { log, pace: systemPace(() => clock.now()) }
  const catalog = new CapabilityCatalog(log)
  const models = options.model
    ? givenLanguageModel(options.model, loaded.core, calls)
    : resolveLanguageModels(loaded.core, lazyOffline(catalog), calls)
  const modelProblems = models.problems.map(({ variable, message }) =>
    envProblem({ owner: 'core', variable, fault: message.replace(/\.$/, '') }),
  )
  return {
    env: loaded.core,
    config: loaded.config,
    pluginEnv: loaded.plugins,
    resolution,
    models,
    catalog,
    log,
    work,
    redactor,
    bootLog,
    logTap,
    remarks: [...loaded.remarks, ...mistypedRemarks(given, resolution)],
    problems: [...resolution.problems, ...loaded.problems, ...modelProblems, ...archiveProblems(loaded.core)],
  }
}

/** Returns a remark on each variable that nothing reads, not even an excluded plugin, and whose name is similar to a known one. */
const mistypedRemarks = (env: Environment, { ordered, excluded, partsOfCore }: Resolution): string[] => {
  const plugins = [...ordered, ...excluded.map(({ plugin }) => plugin), ...partsOfCore]
  const schemas = [coreEnvSchema, ...plugins.flatMap(plugin => plugin.env ?? [])]
  const known = schemas.flatMap(({ shape }) => Object.keys(shape))
  return mistypedVariables(env, known).map(({ name, meant }) => `${name} is not read; did you mean ${meant}?`)
}

/** Returns the offline model, loaded at its first use. */
const lazyOffline = (catalog: CapabilityCatalog): (() => Promise<LanguageModelV4>) => {
  let made: Promise<LanguageModelV4> | undefined
  return () => {
    made ??= loadOffline(catalog)
    return made
  }
}

const loadOffline = async (catalog: CapabilityCatalog) => {
  const { createOfflineModel } = await import('@sibyl/models')
  return createOfflineModel({
    catalog: () =>
      catalog.entries().map(({ name, manifest, mode, fixedTools }) => ({
        name,
        manifest,
        mode,
        tools: Object.entries(fixedTools).map(([tool, { input, inputSchema, effect }]) => ({
          name: tool,
          input,
          effect,
          inputSchema,
        })),
      })),
  })
}

/** Returns whether `sibyl dev` restarted it, so that unchanged facts need no log line. */
const isReload = (env: Environment): boolean => settingOf(env, 'SIBYL_DEV_RELOAD') !== undefined

const chooseLog = (
  options: OracleAppOptions,
  { core }: LoadedEnv,
  { redact }: SecretRedactor,
  tap: LogTap,
): { log: Logger; bootLog: BootLog } => {
  const copy = (line: string) => tap.write(line)
  if (options.logger) {
    const destination = { write: copy }
    const log = teeLogger(options.logger, createPinoLogger({ level: core.LOG_LEVEL, destination, redact }))
    return { log, bootLog: createBootLog({ logger: log }) }
  }
  const given = options.env ?? process.env
  const colour = wantsColour(process.stdout, given)
  const log = createPinoLogger({ level: core.LOG_LEVEL, format: core.LOG_FORMAT, colour, copy, redact })
  const quiet = core.LOG_LEVEL !== 'info' && core.LOG_LEVEL !== 'debug' && core.LOG_LEVEL !== 'trace'
  const bootLog =
    core.LOG_FORMAT === 'json'
      ? createBootLog({ logger: log })
      : createBootLog({
          output: standardOutput(),
          colour,
          tells: quiet ? 'problems' : isReload(given) ? 'warnings' : 'all',
          folded: process.stdout.isTTY && core.LOG_LEVEL === 'info',
        })
  return { log, bootLog }
}
