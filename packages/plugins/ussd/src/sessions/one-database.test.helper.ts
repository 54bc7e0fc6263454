import type { Storage } from '@sibyl/storage'
import type { TestEngine } from '../storage/on-each-engine.test.helper.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'

/** Opens the same database for each test of a suite, without sessions: a new one takes longer than a test. */
export const oneDatabase = (engine: TestEngine): (() => Promise<Storage<UssdTables>>) => {
  let url: Promise<string> | undefined
  return async () => {
    url ??= engine.emptyDatabase()
    const storage = await engine.open({ url: await url })
    await storage.write(tx => tx.deleteFrom('ussd_sessions').execute())
    return storage
  }
}
