import { openStorage, type Storage } from '@sibyl/storage'
import type { Clock } from '../config/clock.ts'
import { BootError } from '../errors/boot-error.ts'
import { databaseProblem } from '../errors/database-problem.ts'
import type { Logger } from '../logging/logger.ts'
import type { OraclePlugin } from '../plugins/oracle-plugin.ts'
import { coreMigrations } from '../sessions/core-migrations.ts'

/**
 * Opens the database and brings core's and the plugins' tables up to date.
 *
 * @throws BootError `boot_failed` with what is wrong with the database
 */
export const openDatabase = async (
  url: string,
  plugins: readonly OraclePlugin[],
  clock: Clock,
  log: Logger,
): Promise<Storage> => {
  const storage = await orBootError('DATABASE_URL', () => openStorage({ url, clock, logger: log }))
  try {
    await orBootError('the tables of core', () => storage.migrate('core', coreMigrations))
    for (const { name, migrations } of plugins) {
      await orBootError(`the tables of plugin '${name}'`, () => storage.migrate(name, migrations))
    }
  } catch (error) {
    await storage.close()
    throw error
  }
  return storage
}

const orBootError = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw new BootError([databaseProblem(what, error)], { cause: error })
  }
}
