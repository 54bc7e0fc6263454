import { openStorage } from '@sibyl/storage'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { retentionArchive } from '../maintenance/retention-archive.ts'
import { retainSessions } from '../sessions/retain-sessions.ts'

/** Applies the retention of conversations, and kills itself after so many archived files. */
const [url = '', folder = '', after = ''] = process.argv.slice(2)
const storage = await openStorage<CoreTables>({ url })
await storage.migrate('core', coreMigrations)
const now = 400 * 86_400_000
const put = retentionArchive(folder, () => now)
let files = 0
await retainSessions(storage, 30).apply({
  now,
  signal: new AbortController().signal,
  async archive(table, rows) {
    await put(table, rows)
    files += 1
    if (files >= Number(after)) process.kill(process.pid, 'SIGKILL')
  },
})
