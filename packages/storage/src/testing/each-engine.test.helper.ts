import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe } from 'vitest'
import type { Storage, StorageOptions } from '../contract/storage.ts'
import type { Migrations } from '../migrations/migrations.ts'
import { openStorage } from '../open-storage.ts'
import type { Engine } from '../sql/engine.ts'
import { type SharedPostgres, sharePostgres } from './share-postgres.ts'

/** An engine under test. */
export interface TestEngine {
  readonly name: Engine
  /** The URL of a new, empty database. */
  emptyDatabase(): Promise<string>
  /** Opens a database, an empty one by default, and closes it after the test. */
  open<Tables>(options?: Partial<StorageOptions>): Promise<Storage<Tables>>
}

/** Starts a PostgreSQL server, or none where the program is not installed. */
export type StartPostgres = () => Promise<SharedPostgres | undefined>

/**
 * Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one.
 *
 * @param start `startPostgres` for a suite that depends on what else runs on the server, such as transactions of other databases
 */
export const onEachEngine = async (
  title: string,
  suite: (engine: TestEngine) => void,
  start: StartPostgres = sharePostgres,
): Promise<void> => {
  const postgres = await start()
  describe(`${title} on sqlite`, () => suite(sqliteEngine()))
  if (postgres !== undefined) describe(`${title} on postgres`, () => suite(postgresEngine(postgres)))
}

/** An engine under test, for the owner of some tables. */
export interface TestEngineWith<Tables> extends Pick<TestEngine, 'name' | 'emptyDatabase'> {
  /** Opens a database with the tables, an empty one by default, and closes it after the test. */
  open(options?: Partial<StorageOptions>): Promise<Storage<Tables>>
}

/** Makes an `onEachEngine` whose databases have the tables of an owner. @param owner a plugin's name */
export const onEachEngineWith =
  <Tables>(owner: string, migrations: Migrations) =>
  (
    title: string,
    suite: (engine: TestEngineWith<Tables>) => void,
    start: StartPostgres = sharePostgres,
  ): Promise<void> => {
    const withTables = ({ name, emptyDatabase, open }: TestEngine) =>
      suite({
        name,
        emptyDatabase,
        open: async options => {
          const storage = await open<Tables>(options)
          await storage.migrate(owner, migrations)
          return storage
        },
      })
    return onEachEngine(title, withTables, start)
  }

const closingAfterEach = (name: Engine, emptyDatabase: () => Promise<string>): TestEngine => {
  const opened: Storage[] = []
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close()
  })
  return {
    name,
    emptyDatabase,
    open: async <Tables>(options: Partial<StorageOptions> = {}) => {
      const storage = await openStorage({ url: options.url ?? (await emptyDatabase()), ...options })
      opened.push(storage)
      return storage.for<Tables>()
    },
  }
}

const sqliteEngine = (): TestEngine => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-storage-'))
  let databases = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return closingAfterEach('sqlite', async () => `file:${join(folder, `${++databases}.db`)}`)
}

const postgresEngine = (postgres: SharedPostgres): TestEngine => {
  afterAll(() => postgres.stop())
  return closingAfterEach('postgres', () => postgres.createDatabase())
}
