import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Returns a database with its tables, which each run begins with. */
export const databaseTemplate = async (migrate: (url: string) => Promise<void>): Promise<Uint8Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-simulation-'))
  try {
    const path = join(folder, 'template.db')
    await migrate(`file:${path}`)
    const database = new DatabaseSync(path)
    // The mark of this copy, as the simulated server returns it.
    const hasMark = database.prepare("select 1 from sqlite_schema where name = 'sibyl_copy'").get()
    if (hasMark) database.exec("update sibyl_copy set value = 'simulated' where name = 'mark'")
    // A database in memory has no log.
    database.exec('pragma journal_mode = delete')
    const bytes = database.serialize()
    database.close()
    return bytes
  } finally {
    await rm(folder, { recursive: true })
  }
}
