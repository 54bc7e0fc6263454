import { type BackupObject, damagedBackup, folderError, refuseBackup } from './backup/backup-manifest.ts'
import { openBackupPlace } from './backup/backup-place.ts'
import { digestAt } from './backup/content-place.ts'
import { listObjects } from './backup/list-objects.ts'
import { type FoundBackup, readBackup } from './backup/read-backup.ts'
import type { NamedFile } from './backup/store-files.ts'
import { copyContent, type Digest, decryptWith, objectName, type Transform } from './backup/stored-object.ts'
import { namedFiles, withCopy } from './backup-copy.ts'
import { type CheckOptions, copyDatabaseFile, databaseFile, quickCheck } from './check-backup.ts'
import { ownersOf } from './move-storage.ts'
import { openTarget, type TargetOptions } from './restore-target.ts'

export interface RestoreOptions extends CheckOptions, TargetOptions {
  /** Restores without files that the backup lacks or that are damaged. @default they are an error */
  readonly leaveDamaged?: boolean | undefined
}

/**
 * Restores a backup: its files, then its database, which becomes visible whole or not at all. Called again after an
 * interruption, it continues.
 *
 * @throws `backup_refused` over a database that is in use or has tables, `backup_damaged`
 */
export const restoreBackup = async (options: RestoreOptions) => {
  const backup = await readBackup(await openBackupPlace(options), options.at)
  const { manifest, name } = backup
  if (manifest.encrypted && options.identity === undefined)
    refuseBackup('The backup is encrypted.', 'Name the identity file with its key: --identity <file>')
  const decrypt = manifest.encrypted ? await decryptWith(options.identity ?? '') : undefined
  const target = await openTarget(options)
  try {
    await target.assertFree()
    const copy = await readDatabase(backup, target.part, decrypt)
    const files = await restoreFiles(copy, backup, options, decrypt)
    const placed = await target.place(copy, manifest.database.sha256)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const { replaced, problems } = placed
    return {
      ...{ name, createdAt: manifest.createdAt, rows, replaced },
      files: { count: files.count, copied: files.copied },
      problems: [...files.problems, ...problems],
    }
  } catch (error) {
    throw folderError(error, target.where)
  } finally {
    await target.close()
  }
}

/** Copies the database out of the backup, decrypted, and compares it with the manifest. */
const readDatabase = async (backup: FoundBackup, to: string, transform: Transform | undefined): Promise<string> => {
  const { bytes, sha256 } = backup.manifest.database
  const compare = (found: Digest) => {
    if (found.bytes !== bytes)
      throw damagedBackup(`The copy of the database has ${found.bytes} bytes instead of ${bytes}.`)
    if (found.sha256 !== sha256) throw damagedBackup('The copy of the database differs from its digest.')
  }
  // Before it is decrypted, which reports another error.
  const encrypted = transform && (await digestAt(backup.place, databaseFile(backup)))
  if (encrypted) compare(encrypted)
  await copyDatabaseFile(backup, to, { transform, check: compare })
  const structure = quickCheck(to)
  if (structure !== 'ok') throw damagedBackup(`The copy of the database is damaged: ${structure}.`)
  return to
}

const maxNamed = 5

/** Copies the files that the restored database names, each compared with its digests. */
const restoreFiles = async (
  copy: string,
  backup: FoundBackup,
  { owners, leaveDamaged = false, onProgress }: RestoreOptions,
  transform: Transform | undefined,
) => {
  const { encrypted, files: listed } = backup.manifest
  const objects = new Map<string, BackupObject>()
  for await (const object of listObjects(backup.place, backup.name)) objects.set(object.name, object)
  const named = await withCopy(copy, async storage => namedFiles(storage, await ownersOf(storage, owners)))
  const deleted = new Set(listed.deleted)
  const problems: string[] = []
  let copied = 0
  for (const [done, file] of named.entries()) {
    onProgress?.({ step: 'files', done, total: named.length })
    const name = objectName(file.path, encrypted)
    if (deleted.has(name)) continue
    const object = objects.get(name)
    if (object === undefined) problems.push(`The backup lacks the file ${file.path}.`)
    else {
      const outcome = await restoreFile(file, object, backup, transform)
      if (outcome === 'copied') copied += 1
      else if (outcome !== undefined) problems.push(outcome)
    }
  }
  if (problems.length > 0 && !leaveDamaged)
    throw damagedBackup(
      [
        ...problems.slice(0, maxNamed),
        ...(problems.length > maxNamed ? [`So have ${problems.length - maxNamed} other files.`] : []),
        'The database is not restored; --leave-damaged restores all else.',
      ].join(' '),
    )
  return { count: named.length, copied, problems }
}

/** @returns undefined if the file is in its place already, or a problem */
const restoreFile = async (
  file: NamedFile,
  object: BackupObject,
  backup: FoundBackup,
  transform: Transform | undefined,
): Promise<string | undefined> => {
  if ((await digestAt(file.place, file.path))?.sha256 === file.sha256) return undefined
  const differs = `The file ${file.path} of the backup is missing or altered.`
  const source = await backup.place.read(`files/${object.name}`)
  if (source === undefined) return differs
  try {
    await copyContent({
      ...{ source, write: file.place.writer(file.path), transform },
      check: (read, written) => {
        if (read.sha256 !== object.sha256 || written.sha256 !== file.sha256) throw new Error(differs)
      },
    })
    return 'copied'
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (message === differs || code === undefined) return differs
    throw error
  }
}
