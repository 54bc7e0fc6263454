import { BootError, type Clock, type Logger, type OraclePlugin, pause } from '@sibyl/plugin'
import { isTemporary, openStorage, type RestoreWatch, type Storage, type StorageOptions } from '@sibyl/storage'
import { coreMigrations } from '../database/core-migrations.ts'
import { databaseProblem } from '../errors/database-problem.ts'
import { watchRestores } from '../maintenance/watch-restores.ts'

/** An open database, with its tables up to date. */
export interface OpenedDatabase {
  readonly storage: Storage
  readonly restores: RestoreWatch
  /** Whether this start found it restored from a backup. */
  readonly isRestored: boolean
  /** Whether this start created the tables of core. */
  readonly isNew: boolean
}

const retryMs = 500
const logMs = 5_000

/**
 * Opens the database, migrates the tables of core and the plugins, and detects a restored backup.
 *
 * @param waitMs Waits so long for a database that is not reachable yet, or in use.
 * @throws BootError `boot_failed` with the error of the database
 */
export const openDatabase = async (
  address: Pick<StorageOptions, 'url' | 'directUrl' | 'poolSize'>,
  plugins: readonly OraclePlugin[],
  clock: Clock,
  log: Logger,
  waitMs = 0,
): Promise<OpenedDatabase> => {
  const storage = await orBootError('DATABASE_URL', () =>
    whenAvailable(() => openStorage({ ...address, clock, logger: log }), waitMs, log),
  )
  try {
    const applied = await orBootError('the tables of core', () => storage.migrate('core', coreMigrations))
    for (const { name, migrations } of plugins) {
      await orBootError(`the tables of plugin '${name}'`, () => storage.migrate(name, migrations))
    }
    const restores = await orBootError('its mark', () => watchRestores(storage, clock, log))
    const isRestored = await orBootError('its mark', () => restores.check())
    return { storage, restores, isRestored, isNew: applied.length === Object.keys(coreMigrations).length }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Opens the database again until it is available, with a log line every few seconds. */
const whenAvailable = async (open: () => Promise<Storage>, waitMs: number, log: Logger): Promise<Storage> => {
  const until = performance.now() + waitMs
  for (let loggedAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await open()
    } catch (error) {
      const now = performance.now()
      if (now >= until || !isTemporary(error)) throw error
      if (now - loggedAt >= logMs) {
        loggedAt = now
        const seconds = Math.ceil((until - now) / 1_000)
        log.warn('waiting for the database', { seconds, reason: error instanceof Error ? error.message : '' })
      }
      await pause(Math.min(retryMs, until - now))
    }
  }
}

const orBootError = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw new BootError([databaseProblem(what, error)], { cause: error })
  }
}
