import { createHash } from 'node:crypto'
import { chmod, mkdir, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type BackupManifest, backupName, folderError, refuseBackup } from './backup/backup-manifest.ts'
import { type BackupLocation, type BackupPlace, openBackupPlace } from './backup/backup-place.ts'
import { refuseOwnFiles } from './backup/refuse-own-files.ts'
import { removeUnlistedFiles } from './backup/remove-unlisted-files.ts'
import { type NamedFile, storeFiles, storeText } from './backup/store-files.ts'
import {
  copyContent,
  type Digest,
  digestOfFile,
  encryptFor,
  openSource,
  type Transform,
} from './backup/stored-object.ts'
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

export interface BackupOptions extends BackupLocation {
  readonly url: string
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
 * Adds a backup to a folder or an object store while the oracle runs: the database at one point, then the files that are not
 * there.
 *
 * @throws `backup_refused`, `move_refused`, `move_unfinished`, and those of the engine and the object store
 */
export const createBackup = async (options: BackupOptions) => {
  const { url, folder, owners } = options
  const transform = options.recipient === undefined ? undefined : await encryptFor(options.recipient)
  refuseOwnFiles(options, owners)
  try {
    const place = await openBackupPlace(options)
    const source = await openSnapshot(url)
    try {
      return await writeBackup(source, place, options, transform)
    } finally {
      await source.close()
    }
  } catch (error) {
    throw folderError(error, folder)
  }
}

const writeBackup = async (
  source: Snapshot,
  place: BackupPlace,
  options: BackupOptions,
  transform: Transform | undefined,
) => {
  const { url, version } = options
  const createdAt = Date.now()
  const [name, encrypted] = [backupName(createdAt), transform !== undefined]
  const work = workFolder(url, place.where)
  const backup = await place.begin(name, source, work)
  const isCopiedFirst = encrypted || place.directory === undefined
  try {
    if (isCopiedFirst) await makeEmpty(work)
    const copy = join(isCopiedFirst ? work : join(place.directory, backup.part), 'database.db')
    const copied = await copySource(source, copy, createdAt, options)
    const stored = isCopiedFirst ? `${backup.part}/database.db${encrypted ? '.age' : ''}` : undefined
    const database = await storeDatabase(copy, place, stored, transform)
    const owned = options.owners.flatMap(({ files = [] }) => files)
    const total = copied.files.length
    const onFile = (done: number) => options.onProgress?.({ step: 'files', done, total })
    const openNow = () => openSnapshot(url)
    const given = { backups: place, part: backup.part, owned, transform, onFile, openNow }
    const files = await storeFiles(copied.files, given)
    const { migrations, tables } = copied
    const engine = source.engine
    const manifest: BackupManifest = {
      ...{ format: 1, version, createdAt: new Date(createdAt).toISOString(), engine, encrypted, migrations, database },
      tables: [...tables],
      files: files.stored,
    }
    await storeText(place, `${backup.part}/manifest.json`, `${JSON.stringify(manifest, null, 1)}\n`)
    await backup.publish()
    const removed = await removeUnlistedFiles(place)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return {
      ...{ name, engine, encrypted, databaseBytes: database.bytes, tables: tables.length, rows },
      files: { count: files.stored.count, copied: files.copied, deleted: files.stored.deleted.length, removed },
      problems: [...copied.problems, ...files.problems],
    }
  } finally {
    await rm(work, { recursive: true, force: true })
    await backup.close()
  }
}

/** Returns the folder for a copy that is encrypted or uploaded next, not on the disk of the backup. */
const workFolder = (url: string, of: string): string => {
  const location = parseDatabaseUrl(url)
  const parent = location.engine === 'sqlite' && location.path ? dirname(location.path) : tmpdir()
  return join(parent, `.sibyl-backup-${createHash('sha256').update(of).digest('hex').slice(0, 16)}`)
}

const makeEmpty = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
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

/** @param path where it is stored. @default the copy is there already */
const storeDatabase = async (
  copy: string,
  place: BackupPlace,
  path: string | undefined,
  transform: Transform | undefined,
): Promise<Digest> => {
  if (path !== undefined) {
    const source = (await openSource(copy)).createReadStream({ highWaterMark: 1 << 18 })
    return (await copyContent({ source, write: place.writer(path, (await stat(copy)).size), transform })).written
  }
  await chmod(copy, 0o600)
  const file = await open(copy, 'r+')
  await file.sync().finally(() => file.close())
  const digest = await digestOfFile(copy)
  return digest ?? refuseBackup('The copy of the database was removed.', 'Run the command again.')
}
