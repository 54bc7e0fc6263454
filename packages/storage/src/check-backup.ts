import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BackupManifest, damagedBackup } from './backup/backup-manifest.ts'
import { type BackupLocation, openBackupPlace } from './backup/backup-place.ts'
import { digestAt } from './backup/content-place.ts'
import { listObjects } from './backup/list-objects.ts'
import { type FoundBackup, readBackup } from './backup/read-backup.ts'
import {
  type CopyContent,
  copyContent,
  type Digest,
  decryptWith,
  fileWriter,
  objectName,
} from './backup/stored-object.ts'
import { namedFiles, withCopy } from './backup-copy.ts'
import type { BackupProgress } from './create-backup.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { countRows, tableNames } from './move/moved-table.ts'
import { type MoveOwner, ownersOf } from './move-storage.ts'

export interface CheckOptions extends BackupLocation {
  /** Name of the backup. @default the newest complete one */
  readonly at?: string | undefined
  readonly owners: readonly MoveOwner[]
  /** Text of an identity file of age; without it, the content of an encrypted backup is not read. */
  readonly identity?: string | undefined
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

/**
 * Checks a backup: digests of all files, rows, the contents that the database names, and what owners verify.
 *
 * @throws `backup_refused`, `backup_damaged` for an invalid manifest, and those of the object store
 */
export const checkBackup = async (options: CheckOptions) => {
  const backup = await readBackup(await openBackupPlace(options), options.at)
  const { manifest } = backup
  const transform = options.identity === undefined ? undefined : await decryptWith(options.identity)
  const found = await digestAt(backup.place, databaseFile(backup))
  const problems = differences('The copy of the database', manifest.database, found)
  const isWhole = problems.length === 0
  const objects = await checkObjects(backup, options, problems)
  const isReadable = isWhole && (!manifest.encrypted || transform !== undefined)
  if (isReadable) {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-check-'))
    try {
      const path = join(folder, 'database.db')
      await copyDatabaseFile(backup, path, { transform: manifest.encrypted ? transform : undefined })
      problems.push(...(await checkDatabase(path, manifest, objects, options.owners)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const { name } = backup
  const { createdAt, engine, encrypted } = manifest
  return { name, createdAt, engine, encrypted, opened: isReadable, rows, files: objects.size, problems }
}

export const databaseFile = ({ name, manifest }: FoundBackup): string =>
  `${name}/${manifest.encrypted ? 'database.db.age' : 'database.db'}`

/** Copies the database out of a backup. */
export const copyDatabaseFile = async (
  backup: FoundBackup,
  to: string,
  options: Pick<CopyContent, 'transform' | 'check'>,
): Promise<void> => {
  const source = await backup.place.read(databaseFile(backup))
  if (source === undefined) throw damagedBackup('The copy of the database is missing.')
  await copyContent({ ...options, source, write: fileWriter({ to, part: `${to}.part` }) })
}

const differences = (what: string, expected: Digest, found: Digest | undefined): string[] => {
  if (found === undefined) return [`${what} is missing.`]
  if (found.bytes !== expected.bytes) return [`${what} has ${found.bytes} bytes instead of ${expected.bytes}.`]
  return found.sha256 === expected.sha256 ? [] : [`${what} differs from its digest.`]
}

/** Returns the contents by name that the backup has, damaged or not. */
const checkObjects = async (
  { name: backup, place, manifest }: FoundBackup,
  { onProgress }: CheckOptions,
  problems: string[],
): Promise<ReadonlySet<string>> => {
  const names = new Set<string>()
  const { count, missing } = manifest.files
  problems.push(...differences('The list of files', manifest.files, await digestAt(place, `${backup}/files.ndjson`)))
  problems.push(...missing.map(name => `The file ${name} was missing or altered when the backup was made.`))
  try {
    for await (const object of listObjects(place, backup)) {
      onProgress?.({ step: 'files', done: names.size, total: count })
      names.add(object.name)
      const found = await digestAt(place, `files/${object.name}`)
      problems.push(...differences(`The file ${object.name}`, object, found))
    }
  } catch (error) {
    // Its digest is reported above.
    if (!storageErrors.backup_damaged.is(error)) throw error
  }
  return names
}

const checkDatabase = async (
  path: string,
  manifest: BackupManifest,
  objects: ReadonlySet<string>,
  all: readonly MoveOwner[],
): Promise<readonly string[]> => {
  const structure = quickCheck(path)
  if (structure !== 'ok') return [`The copy of the database is damaged: ${structure}.`]
  return withCopy(path, async copy => {
    const problems: string[] = []
    const names = new Set(await tableNames(copy))
    for (const { name, rows } of manifest.tables) {
      const found = names.has(name) ? await countRows(copy.read, name) : 0
      if (found !== rows) problems.push(`The table ${name} has ${found} rows instead of ${rows}.`)
    }
    const owners = await ownersOf(copy, all)
    // To the version of this project, as its start would do.
    for (const { name, migrations } of owners) await copy.migrate(name, migrations)
    const gone = new Set([...manifest.files.deleted, ...manifest.files.missing])
    for (const file of await namedFiles(copy, owners)) {
      const name = objectName(file.path, manifest.encrypted)
      if (!objects.has(name) && !gone.has(name)) problems.push(`The backup lacks the file ${file.path}.`)
    }
    for (const owner of owners) problems.push(...((await owner.finish?.(copy)) ?? []))
    return problems
  })
}

/** Returns `ok` for a sound SQLite file. */
export const quickCheck = (path: string): string => {
  const database = new DatabaseSync(path)
  try {
    return String(database.prepare('pragma quick_check(1)').get()?.quick_check)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    database.close()
  }
}
