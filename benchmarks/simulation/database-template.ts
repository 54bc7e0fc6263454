import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage, type Storage } from '@sibyl/storage'

/** Returns a database with its tables, which each run begins with. */
export const databaseTemplate = async (migrate: (storage: Storage) => Promise<void>): Promise<Uint8Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-simulation-'))
  try {
    const path = join(folder, 'template.db')
    const storage = await openStorage({ url: `file:${path}`, clock: { now: () => 0 } })
    await migrate(storage)
    await storage.close()
    const database = new DatabaseSync(path)
    // A database in memory has no log.
    database.exec('pragma journal_mode = delete')
    const bytes = database.serialize()
    database.close()
    return bytes
  } finally {
    await rm(folder, { recursive: true })
  }
}
