import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { PostgresDatabases } from './postgres-databases.ts'
import { startPostgres, type ThrowawayPostgres } from './start-postgres.ts'

/** Databases on a PostgreSQL that other test files use too. */
export type SharedPostgres = Pick<ThrowawayPostgres, 'createDatabase' | 'stop'>

/**
 * Opens the PostgreSQL that all files of a test run share, for tests that neither end nor configure it. `stop` removes the
 * databases. Without such a run, or where another one starts it, it is a server for this file alone.
 *
 * @returns undefined in the cases of `startPostgres`
 * @example
 * const postgres = await sharePostgres()
 * const storage = await openStorage({ url: await postgres.createDatabase() })
 */
export const sharePostgres = async (): Promise<SharedPostgres | undefined> => {
  const socket = process.env.SIBYL_TEST_POSTGRES_SHARED
  if (socket === undefined || process.env.SIBYL_TEST_POSTGRES === 'off') return startPostgres()
  const folder = await text(connect(socket))
  if (folder === '') return undefined
  const databases = new PostgresDatabases(folder)
  return { createDatabase: () => databases.create(), stop: () => databases.remove() }
}
