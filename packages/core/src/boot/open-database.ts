import { BootError, type Clock, type Logger, type OraclePlugin } from '@sibyl/plugin'
import { openStorage, type RestoreWatch, type Storage } from '@sibyl/storage'
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

/**
 * Opens the database, migrates the tables of core and the plugins, and detects a restored backup.
 *
 * @throws BootError `boot_failed` with the error of the database
 */
export const openDatabase = async (
  url: string,
  plugins: readonly OraclePlugin[],
  clock: Clock,
  log: Logger,
): Promise<OpenedDatabase> => {
  const storage = await orBootError('DATABASE_URL', () => openStorage({ url, clock, logger: log }))
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

const orBootError = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw new BootError([databaseProblem(what, error)], { cause: error })
  }
}
