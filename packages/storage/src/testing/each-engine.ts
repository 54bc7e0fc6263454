import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe } from 'vitest'
import type { Engine } from '../engine.ts'
import { openStorage } from '../open-storage.ts'
import type { Storage, StorageOptions } from '../storage.ts'
import { startPostgres, type ThrowawayPostgres } from './start-postgres.ts'

/** An engine under test. */
export interface TestEngine {
  readonly name: Engine
  /** The URL of a new, empty database. */
  emptyDatabase(): Promise<string>
  /** Opens a database, an empty one by default, and closes it after the test. */
  open<Tables>(options?: Partial<StorageOptions>): Promise<Storage<Tables>>
}

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = async (title: string, suite: (engine: TestEngine) => void): Promise<void> => {
  const postgres = await startPostgres()
  describe(`${title} on sqlite`, () => suite(sqliteEngine()))
  if (postgres !== undefined) describe(`${title} on postgres`, () => suite(postgresEngine(postgres)))
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

const postgresEngine = (postgres: ThrowawayPostgres): TestEngine => {
  afterAll(() => postgres.stop())
  return closingAfterEach('postgres', () => postgres.createDatabase())
}
