import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { folderError, refuseBackup } from './backup/backup-manifest.ts'
import { withCopy } from './backup-copy.ts'
import type { Storage } from './contract/storage.ts'
import type { BackupProgress } from './create-backup.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { progressTable } from './move/move-progress.ts'
import { tableNames } from './move/moved-table.ts'
import { copyDatabase, type MoveOwner, ownersOf } from './move-storage.ts'
import { openStorage } from './open-storage.ts'
import { sql } from './sql/kysely.ts'
import { ProcessLock } from './sqlite/process-lock.ts'
import { syncFolder } from './sqlite/sync-folder.ts'

export interface TargetOptions {
  readonly url: string
  readonly owners: readonly MoveOwner[]
  /** Keeps a database with tables under another name, and restores beside it. @default it is an error */
  readonly replace?: boolean | undefined
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

interface Placed {
  readonly replaced?: string | undefined
  readonly problems: readonly string[]
}

/** The place of the restored database, kept from other processes. */
export interface RestoreTarget {
  /** The folder that is written, for errors. */
  readonly where: string
  /** For the copy before it is in its place. */
  readonly part: string
  assertFree(): Promise<void>
  place(copy: string, source: string): Promise<Placed>
  close(): Promise<void>
}

/** @throws `backup_refused` if a process has it open */
export const openTarget = (options: TargetOptions): Promise<RestoreTarget> => {
  const location = parseDatabaseUrl(options.url)
  if (location.engine === 'postgres') return openPostgresTarget(options)
  if (location.path === undefined)
    return refuseBackup('A database in memory is gone after the restore.', 'Set DATABASE_URL to a file or PostgreSQL.')
  return openFileTarget(location.path, options)
}

const occupied = (where: string) =>
  refuseBackup(
    `${where} has tables already.`,
    'Set DATABASE_URL to another place, or keep that database under another name: --replace',
  )

const running = (where: string) => refuseBackup(`The oracle runs on ${where}.`, 'Stop it, then restore.')

const openFileTarget = async (path: string, { replace = false }: TargetOptions): Promise<RestoreTarget> => {
  const file = basename(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const lock = lockFile(path, file)
  const part = `${path}.restore`
  return {
    where: dirname(path),
    part,
    async assertFree() {
      if (!replace && hasTables(path)) occupied(file)
    },
    async place(copy) {
      const old = `${path}.before-${new Date().toISOString().replaceAll(':', '-')}`
      const isReplaced = existsSync(path) && statSync(path).size > 0
      // Also without a database: its log would be applied to the restored one.
      for (const suffix of ['', '-wal', '-shm'])
        if (existsSync(path + suffix)) await rename(path + suffix, old + suffix)
      await rename(copy, path)
      await syncFolder(dirname(path))
      return { problems: [], replaced: isReplaced ? basename(old) : undefined }
    },
    async close() {
      for (const suffix of ['', '.part']) await rm(part + suffix, { force: true })
      lock.release()
    },
  }
}

const lockFile = (path: string, file: string): ProcessLock => {
  try {
    return new ProcessLock(path, file)
  } catch (error) {
    return storageErrors.database_in_use.is(error) ? running(file) : thrown(folderError(error, dirname(path)))
  }
}

const thrown = (error: unknown): never => {
  throw error
}

const hasTables = (path: string): boolean => {
  if (!existsSync(path) || statSync(path).size === 0) return false
  const database = new DatabaseSync(path)
  try {
    return database.prepare('select 1 from sqlite_schema').get() !== undefined
  } catch {
    return true
  } finally {
    database.close()
  }
}

const openPostgresTarget = async ({
  url,
  replace = false,
  owners,
  onProgress,
}: TargetOptions): Promise<RestoreTarget> => {
  const to = await openStorage({ url, alone: true, writeTimeLimitMs: 600_000 }).catch(error => {
    throw storageErrors.move_refused.is(error) ? toRunning() : error
  })
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-restore-'))
  const isOccupied = async () => {
    const names = await tableNames(to)
    return names.length > 0 && !names.includes(progressTable)
  }
  return {
    where: folder,
    part: join(folder, 'database.db'),
    async assertFree() {
      if (!replace && (await isOccupied())) occupied('The PostgreSQL database')
    },
    async place(path, source) {
      const replaced = (await isOccupied()) ? await setAside(to) : undefined
      return withCopy(path, async copy => {
        const own = await ownersOf(copy, owners)
        for (const { name, migrations } of own) await copy.migrate(name, migrations)
        const { problems } = await copyDatabase(copy, to, own, {
          source,
          leaveUnknown: true,
          ...(onProgress && { onProgress }),
        })
        return { problems, replaced }
      })
    },
    async close() {
      await rm(folder, { recursive: true, force: true })
      await to.close()
    },
  }
}

const toRunning = () => {
  const parts = {
    problem: 'The oracle runs on the PostgreSQL database.',
    remedy: 'Stop all its processes, then restore.',
  }
  return storageErrors.backup_refused(parts)
}

/** Moves all tables into a schema of their own. */
const setAside = async (to: Storage): Promise<string> => {
  const schema = `before_${new Date().toISOString().replaceAll(/\D/g, '')}`
  const names = await tableNames(to)
  await to.write(async tx => {
    await sql`create schema ${sql.id(schema)}`.execute(tx)
    for (const name of names) await sql`alter table ${sql.table(name)} set schema ${sql.id(schema)}`.execute(tx)
  })
  return schema
}
