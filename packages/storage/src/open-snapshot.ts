import { refuseBackup } from './backup/backup-manifest.ts'
import type { DatabaseSnapshot } from './contract/database-snapshot.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { openPostgresSnapshot } from './postgres/open-postgres-snapshot.ts'
import { openSqliteSnapshot } from './sqlite/open-sqlite-snapshot.ts'

/** The database of an oracle that may run; SQLite copies itself into a file. */
export type Snapshot = DatabaseSnapshot & { copyTo?(target: string): void }

export const openSnapshot = async (url: string): Promise<Snapshot> => {
  const location = parseDatabaseUrl(url)
  if (location.engine === 'postgres') return openPostgresSnapshot(location.url)
  if (location.path !== undefined) return openSqliteSnapshot(location.path)
  return refuseBackup('A database in memory cannot be backed up.', 'Set DATABASE_URL to a file or to PostgreSQL.')
}
