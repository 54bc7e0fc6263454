import type { SigningKey } from '@sibyl/identity'
import { estimateTokens } from '@sibyl/models'
import { isBootError } from '@sibyl/plugin'
import { type BootProblem, distinctProblems, silentLogger, systemClock } from '@sibyl/plugin/host'
import { oracleAddress } from '../auth/oracle-address.ts'
import { loadSigningKey } from '../auth/oracle-identity.ts'
import { inspectedVariables } from '../config/inspected-variables.ts'
import { mistypedVariables } from '../config/mistyped-variables.ts'
import { coreMigrations } from '../database/core-migrations.ts'
import { redactTexts } from '../logging/redact-texts.ts'
import { inspectedPlugins, type PluginsToInspect } from '../plugins/inspected-plugins.ts'
import { PluginStatus } from '../plugins/plugin-status.ts'
import type { OracleInspection } from '../records/oracle-inspection.ts'
import type { FirstStep } from '../turn/inspect-prompt.ts'
import { assembleOracle } from './assemble-oracle.ts'
import { coreVersion } from './core-version.ts'
import { openDatabase } from './open-database.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import { readSettings, type Settings } from './read-settings.ts'

/** The message of the inspected turn. */
const greeting = 'Hello'
/** Time limit for plugins to dispose, in milliseconds. */
const disposeLimitMs = 2_000

/**
 * Inspects an oracle, and the problems that prevent its start. The plugins are set up on a database in memory; nothing
 * listens, no job or background task runs, no model is called, and secrets are redacted.
 */
export const inspectOracle = async (options: OracleAppOptions): Promise<OracleInspection> => {
  const settings = inQuiet(options)
  const { env, resolution } = settings
  const environment = options.env ?? process.env
  const key = await loadSigningKey(env.ORACLE_MNEMONIC)
  const style = await readInside(options, settings, key)
  const variables = inspectedVariables(
    [...resolution.ordered, ...resolution.excluded.map(({ plugin }) => plugin)],
    environment,
    settings.config,
  )
  const known = variables.map(({ name }) => name)
  return redactInspection(
    {
      core: coreVersion,
      node: process.versions.node,
      oracle: oracleFacts(settings, key),
      problems: distinctProblems(style.problems).map(problem => ({ ...problem, lines: [...problem.lines] })),
      plugins: inspectedPlugins(style),
      variables,
      unknownVariables: mistypedVariables(environment, known),
      migrations: [
        { owner: 'core', names: Object.keys(coreMigrations) },
        ...resolution.ordered.map(({ name, migrations }) => ({ owner: name, names: Object.keys(migrations) })),
      ],
      ...(style.turn ? { turn: turnFacts(style.turn) } : {}),
    },
    settings.redactor.redact,
  )
}

/** Returns the settings without a log and without traces. */
const inQuiet = (options: OracleAppOptions): Settings => {
  const settings = readSettings({ ...options, logger: silentLogger })
  return { ...settings, env: { ...settings.env, OTEL_SDK_DISABLED: true } }
}

interface Style extends PluginsToInspect {
  readonly problems: readonly BootProblem[]
  readonly turn?: FirstStep | undefined
}

const readInside = async (
  options: OracleAppOptions,
  settings: Settings,
  key: SigningKey | undefined,
): Promise<Style> => {
  const { resolution } = settings
  const outside = (problems: readonly BootProblem[]): Style => ({
    resolution,
    problems,
    records: new PluginStatus({ plugins: () => [], excluded: resolution.excluded, tasks: () => [] }).list(),
    routes: [],
  })
  if (settings.problems.length > 0) return outside(settings.problems)
  const undo: (() => Promise<unknown>)[] = []
  try {
    const clock = options.clock ?? systemClock
    const database = await openDatabase({ url: 'memory:' }, resolution.ordered, clock, silentLogger)
    undo.push(() => database.storage.close())
    const oracle = await assembleOracle({ options, settings, clock, ...database, key, undo })
    const { problems, setUp, status, http, turns } = oracle
    undo.push(() => setUp.dispose(disposeLimitMs))
    const records = status.list()
    const inside = { resolution, problems, records, parts: setUp.plugins }
    if (problems.length > 0) return { ...inside, routes: [] }
    return { ...inside, routes: http.build().routes, turn: await turns.firstStep(greeting) }
  } catch (error) {
    if (isBootError(error)) return outside(error.problems)
    throw error
  } finally {
    for (const step of undo.toReversed()) await step()
  }
}

const oracleFacts = ({ env, config, models }: Settings, key: SigningKey | undefined): OracleInspection['oracle'] => {
  const { url, did } = oracleAddress(env)
  return {
    name: env.ORACLE_NAME,
    description: env.ORACLE_DESCRIPTION,
    price: config.price,
    ...(key ? { did: key.did } : {}),
    publicDid: did,
    entityDid: env.ORACLE_ENTITY_DID,
    network: env.NETWORK,
    environment: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST,
    publicUrl: url,
    database: databaseKind(env.DATABASE_URL),
    model: models.describe(),
    modelReady: models.state === 'ready',
  }
}

const databaseKind = (url: string): OracleInspection['oracle']['database'] => {
  if (url.startsWith('postgres')) return 'postgres'
  return url.startsWith('file:') && url !== 'file::memory:' ? 'sqlite' : 'memory'
}

const turnFacts = ({ prompt, note, tools, loadable }: FirstStep): NonNullable<OracleInspection['turn']> => ({
  prompt,
  promptTokens: estimateTokens(prompt),
  note,
  noteTokens: estimateTokens(note),
  tools: tools.map(tool => ({ ...tool, inputSchema: JSON.parse(JSON.stringify(tool.inputSchema)) })),
  toolTokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
  loadable: loadable.map(({ name, tools: count, tokens }) => ({ plugin: name, tools: count, tokens })),
})

/** Members with a fixed set of values, which are not redacted. */
const fixedWords = new Set(['load', 'state', 'need', 'from', 'network', 'database'])

/** Redacts secrets from every text of an inspection: a prompt may contain one. */
const redactInspection = (inspection: OracleInspection, redact: (text: string) => string): OracleInspection =>
  redactTexts(inspection, redact, fixedWords)
