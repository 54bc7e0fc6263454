import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, type Storage, type StorageOptions } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { afterAll, afterEach, describe } from 'vitest'
import { claimsMigrations } from './claims-migrations.ts'
import type { ClaimsTables } from './claims-tables.ts'

/** An engine under test. */
export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  /** The URL of a new, empty database; on SQLite `file:` and its path. */
  emptyDatabase(): Promise<string>
  /** Opens a database with this plugin's tables, a new one by default, and closes it after the test. */
  open(options?: Partial<StorageOptions>): Promise<Storage<ClaimsTables>>
}

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = async (title: string, suite: (engine: TestEngine) => void): Promise<void> => {
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-claims-'))
  let files = 0
  describe(`${title} on sqlite`, () => {
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    suite(closingAfterEach('sqlite', async () => `file:${join(folder, `${++files}.db`)}`))
  })
  if (postgres === undefined) return
  describe(`${title} on postgres`, () => {
    afterAll(() => postgres.stop())
    suite(closingAfterEach('postgres', () => postgres.createDatabase()))
  })
}

const closingAfterEach = (name: TestEngine['name'], emptyDatabase: () => Promise<string>): TestEngine => {
  const opened: Storage[] = []
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close()
  })
  return {
    name,
    emptyDatabase,
    open: async (options = {}) => {
      const storage = await openStorage({ url: options.url ?? (await emptyDatabase()), ...options })
      opened.push(storage)
      await storage.migrate('claims', claimsMigrations)
      return storage.for<ClaimsTables>()
    },
  }
}
