import { BootError, isBootError } from '@sibyl/plugin'
import { systemClock } from '@sibyl/plugin/host'
import { StorageError } from '@sibyl/storage'
import { loadSigningKey } from '../auth/oracle-identity.ts'
import { emptyDatabaseText, noteSigner } from '../did/note-signer.ts'
import { databaseProblem } from '../errors/database-problem.ts'
import { assembleOracle } from './assemble-oracle.ts'
import { bootReport, header, settledFact } from './boot-report.ts'
import type { Opened } from './make-kernel.ts'
import { openDatabase } from './open-database.ts'
import type { OracleApp, OracleAppOptions } from './oracle-app.ts'
import { readSettings, type Settings } from './read-settings.ts'
import { RunningOracle } from './running-oracle.ts'

/**
 * Boots an oracle; see `createOracleApp`.
 *
 * @param startedAt `performance.now()` at the start.
 * @throws BootError `boot_failed` with every problem; they are already in the log
 */
export const bootOracle = async (options: OracleAppOptions, startedAt: number): Promise<OracleApp> => {
  const settings = readSettings(options)
  try {
    return await boot(options, settings, startedAt)
  } catch (error) {
    if (isBootError(error)) reportProblems(settings, error)
    throw error
  }
}

const reportProblems = ({ bootLog, env }: Settings, { problems }: BootError): void =>
  bootLog.report(header(env), ...problems.map(problem => ({ kind: 'problem', problem }) as const), {
    kind: 'verdict',
    problems: problems.length,
  })

const boot = async (options: OracleAppOptions, settings: Settings, startedAt: number): Promise<OracleApp> => {
  const { env, resolution, log } = settings
  if (settings.problems.length > 0) throw new BootError(settings.problems)
  const clock = options.clock ?? systemClock
  const [database, key] = await Promise.all([
    openDatabase(databaseAddress(env), resolution.ordered, clock, log, env.DATABASE_WAIT_SECONDS * 1_000),
    loadSigningKey(env.ORACLE_MNEMONIC),
  ])
  const undo: (() => Promise<unknown>)[] = [() => database.storage.close()]
  try {
    return await start({ options, settings, clock, ...database, key, undo }, startedAt)
  } catch (error) {
    for (const step of undo.toReversed()) {
      await step().catch(failure => log.warn('a component of a failed boot did not stop', { error: failure }))
    }
    if (!(error instanceof StorageError)) throw error
    throw new BootError([databaseProblem('the first writes at startup', error)], { cause: error })
  }
}

const databaseAddress = ({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL_SIZE }: Settings['env']) => ({
  url: DATABASE_URL,
  poolSize: DATABASE_POOL_SIZE,
  ...(DATABASE_DIRECT_URL !== undefined && { directUrl: DATABASE_DIRECT_URL }),
})

const isMemory = /^(memory:|:memory:|file::memory:)$/

const start = async (opened: Opened, startedAt: number): Promise<OracleApp> => {
  const { settings, key, undo } = opened
  const { env, bootLog } = settings
  const environment = opened.options.env ?? process.env
  const oracle = await assembleOracle(opened)
  const { kernel, status, turns, http, tasks, problems } = oracle
  if (problems.length > 0) throw new BootError(problems)
  const interrupted = await turns.recover()
  const isNoted = key !== undefined && !isMemory.test(env.DATABASE_URL) && (await noteSigner(key.did, environment))
  const remarks = [...settings.remarks, ...(isNoted && opened.isNew ? [emptyDatabaseText] : [])]
  bootLog.report(...bootReport({ opened, oracle, interrupted, remarks }))
  const served = http.build()
  bootLog.report(
    ...served.opened.map(({ owner, route: { definition } }) => ({
      kind: 'opened' as const,
      plugin: owner,
      route: `${definition.method.toUpperCase()} ${definition.path}`,
    })),
  )
  undo.push(() => kernel.jobs.stop())
  await kernel.jobs.start()
  tasks.begin(task => bootLog.report(settledFact(task, status.list())))
  return new RunningOracle({ opened, oracle, served, stopMaintenance: turns.startMaintenance(), startedAt })
}
