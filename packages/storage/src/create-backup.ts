import { createHash } from 'node:crypto'
import { chmod, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type BackupManifest,
  backupName,
  folderError,
  type OpenBackupFolder,
  openBackupFolder,
  refuseBackup,
} from './backup/backup-folder.ts'
import { removeUnlistedFiles } from './backup/remove-unlisted-files.ts'
import { type NamedFile, storeFiles } from './backup/store-files.ts'
import { copyFile, type Digest, digestOfFile, encryptFor, type Transform } from './backup/stored-object.ts'
import { namedFiles, withCopy } from './backup-copy.ts'
import type { DatabaseSnapshot } from './contract/database-snapshot.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { isMigrated, unfinishedMove } from './migrations/migrate.ts'
import { countRows, tableNames } from './move/moved-table.ts'
import { copyDatabase, type MoveOwner, ownersOf } from './move-storage.ts'
import { openSnapshot, type Snapshot } from './open-snapshot.ts'
import { sql } from './sql/kysely.ts'

/** Progress of a backup, of its check or of a restore: rows or files. */
export interface BackupProgress {
  readonly step: 'copy' | 'compare' | 'files'
  /** A table of the database. */
  readonly table?: string
  readonly done: number
  readonly total: number
}

export interface BackupOptions {
  readonly url: string
  readonly folder: string
  /** In the order of their migrations, core first. */
  readonly owners: readonly MoveOwner[]
  /** Version of the oracle. */
  readonly version: string
  /** Encrypts for this recipient of age. */
  readonly recipient?: string | undefined
  /** PostgreSQL: leaves tables out that none of the owners has. @default they are an error */
  readonly leaveUnknown?: boolean | undefined
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

/**
 * Adds a backup to a folder while the oracle runs: the database at one point, then the files that the folder lacks.
 *
 * @throws `backup_refused`, `move_refused`, `move_unfinished`, and those of the engine
 */
export const createBackup = async (options: BackupOptions) => {
  const { folder } = options
  const transform = options.recipient === undefined ? undefined : await encryptFor(options.recipient)
  try {
    const opened = await openBackupFolder(folder)
    try {
      const source = await openSnapshot(options.url)
      try {
        return await writeBackup(source, opened, options, transform)
      } finally {
        await source.close()
      }
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw folderError(error, folder)
  }
}

const writeBackup = async (
  source: Snapshot,
  opened: OpenBackupFolder,
  options: BackupOptions,
  transform: Transform | undefined,
) => {
  const { url, folder, version } = options
  const createdAt = Date.now()
  const [name, encrypted] = [backupName(createdAt), transform !== undefined]
  const target = join(opened.part, name)
  await mkdir(target, { mode: 0o700 })
  const plain = encrypted ? await plainFolder(url, folder) : target
  try {
    const copy = join(plain, 'database.db')
    const copied = await copySource(source, copy, createdAt, options)
    const database = await storeDatabase(copy, join(target, `database.db${encrypted ? '.age' : ''}`), transform)
    const owned = options.owners.flatMap(({ files = [] }) => files)
    const total = copied.files.length
    const onFile = (done: number) => options.onProgress?.({ step: 'files', done, total })
    const openNow = () => openSnapshot(url)
    const files = await storeFiles(copied.files, { opened, folder, target, owned, transform, onFile, openNow })
    const { migrations, tables } = copied
    const engine = source.engine
    const manifest: BackupManifest = {
      ...{ format: 1, version, createdAt: new Date(createdAt).toISOString(), engine, encrypted, migrations, database },
      tables: [...tables],
      files: files.stored,
    }
    await writeDurably(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
    await opened.publish(target, name)
    const removed = await removeUnlistedFiles(folder)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return {
      ...{ name, engine, encrypted, databaseBytes: database.bytes, tables: tables.length, rows },
      files: { count: files.stored.count, copied: files.copied, deleted: files.stored.deleted.length, removed },
      problems: [...copied.problems, ...files.problems],
    }
  } finally {
    if (plain !== target) await rm(plain, { recursive: true, force: true })
  }
}

/** Makes an empty folder for the copy before it is encrypted, not on the disk of the backup. */
const plainFolder = async (url: string, of: string): Promise<string> => {
  const location = parseDatabaseUrl(url)
  const parent = location.engine === 'sqlite' && location.path ? dirname(location.path) : tmpdir()
  const folder = join(parent, `.sibyl-backup-${createHash('sha256').update(of).digest('hex').slice(0, 16)}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Content of a copied database. */
interface CopiedDatabase {
  readonly migrations: BackupManifest['migrations']
  readonly tables: BackupManifest['tables']
  readonly files: readonly NamedFile[]
  readonly problems: readonly string[]
}

/** Copies the database into a SQLite file, and marks that as a backup: an oracle that opens it detects a restore. */
const copySource = async (
  source: Snapshot,
  path: string,
  at: number,
  { owners: all, leaveUnknown = false, onProgress }: BackupOptions,
): Promise<CopiedDatabase> => {
  const owners = await ownersOf(source, all)
  const migrations = await migrationsOf(source)
  if (source.copyTo) {
    onProgress?.({ step: 'copy', done: 0, total: 0 })
    source.copyTo(path)
  } else await assertCurrent(source, owners)
  return withCopy(path, async copy => {
    const moved = source.copyTo
      ? undefined
      : await copyDatabase(source, copy, owners, {
          source: 'backup',
          leaveUnknown,
          ...(onProgress && { onProgress }),
        })
    const names = await tableNames(copy)
    if (names.includes('sibyl_copy'))
      await copy.write(tx =>
        sql`insert into sibyl_copy (name, value) values ('mark', ${`backup ${at}`})
          on conflict (name) do update set value = excluded.value`.execute(tx),
      )
    const tables: BackupManifest['tables'] = moved ? [...moved.tables] : []
    if (!moved) for (const name of names) tables.push({ name, rows: await countRows(copy.read, name) })
    return { migrations, tables, files: await namedFiles(copy, owners), problems: moved?.problems ?? [] }
  })
}

const migrationsOf = async ({ read }: DatabaseSnapshot): Promise<Record<string, string[]>> => {
  const query = sql<{ owner: string; name: string }>`select owner, name from sibyl_migrations order by owner, name`
  const applied: Record<string, string[]> = {}
  for (const { owner, name } of (await query.execute(read)).rows) {
    if (name === unfinishedMove.name) throw storageErrors.move_unfinished()
    const names = applied[owner] ?? []
    names.push(name)
    applied[owner] = names
  }
  return applied
}

/** The copy gets its tables by the migrations of this version. */
const assertCurrent = async (source: DatabaseSnapshot, owners: readonly MoveOwner[]): Promise<void> => {
  for (const { name, migrations } of owners) {
    if (await isMigrated(source.read, name, migrations)) continue
    refuseBackup(
      `The tables of '${name}' in the database are of another version than this project.`,
      'Start the oracle of this version first, or back up with the version that runs.',
    )
  }
}

const storeDatabase = async (copy: string, target: string, transform: Transform | undefined): Promise<Digest> => {
  if (transform) return (await copyFile({ from: copy, to: target, part: `${target}.part`, transform })).written
  await chmod(target, 0o600)
  const file = await open(target, 'r+')
  await file.sync().finally(() => file.close())
  const digest = await digestOfFile(target)
  return digest ?? refuseBackup('The copy of the database was removed.', 'Run the command again.')
}

const writeDurably = (path: string, text: string): Promise<void> => writeFile(path, text, { mode: 0o600, flush: true })
