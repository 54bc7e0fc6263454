import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseSnapshot } from '../contract/database-snapshot.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { DatabaseHandles } from '../transactions/database-handles.ts'
import { BUSY_TIMEOUT_MS } from './group-commit.ts'
import { sqliteLanguage } from './open-sqlite.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { storageErrorOf } from './sqlite-errors.ts'

/**
 * Opens a SQLite database that another process may have open.
 *
 * @throws `database_corrupt`, `database_read_only`
 */
export const openSqliteSnapshot = (path: string): DatabaseSnapshot & { copyTo(target: string): void } => {
  const file = basename(path)
  if (!existsSync(path)) {
    const remedy = 'Check DATABASE_URL, or start the oracle.'
    throw storageErrors.backup_refused({ problem: 'The oracle has no database yet.', remedy })
  }
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
  const connection = new SqliteConnection(database, { file, readOnly: true })
  const handles = new DatabaseHandles('sqlite', sqliteLanguage)
  return {
    engine: 'sqlite',
    read: handles.reader({ provideConnection: consumer => consumer(connection) }),
    /** In one read transaction: writes go on, and do not make it begin again. */
    copyTo(target) {
      database.prepare('vacuum into ?').run(target)
      // The copy is closed; the mark of an open database would have it checked.
      const copy = new DatabaseSync(target)
      try {
        copy.exec('pragma user_version = 0')
      } catch (error) {
        throw storageErrorOf(error, file)
      } finally {
        copy.close()
      }
    },
    close: async () => database.close(),
  }
}
