import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { storageErrors } from '../errors/storage-errors.ts'
import { ProcessLock } from '../sqlite/process-lock.ts'
import { syncFolder } from '../sqlite/sync-folder.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const stored = z.object({ bytes: z.int().nonnegative(), sha256 })

/** `manifest.json` of a backup. It is written last: a backup without it is incomplete. */
export const backupManifest = z.object({
  format: z.literal(1),
  /** Version of the oracle that made it. */
  version: z.string().max(100),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  encrypted: z.boolean(),
  /** Applied migrations by owner: the version of the schema. */
  migrations: z.record(z.string().max(200), z.array(z.string().max(200))),
  /** The SQLite file with all tables, as it is stored. */
  database: stored,
  tables: z.array(z.object({ name: z.string().max(200), rows: z.int().nonnegative(), digest: sha256.optional() })),
  /** The list of contents in `files.ndjson`. */
  files: stored.extend({
    count: z.int().nonnegative(),
    /** Names of contents that the database names, and that were lost or altered before. */
    missing: z.array(z.string().max(400)),
    /** Names of contents that were deleted during the backup. */
    deleted: z.array(z.string().max(400)),
  }),
})

export type BackupManifest = z.output<typeof backupManifest>

const part = '(?:[\\w-][\\w.-]{0,199}|\\.folder-[0-9a-f]{16})'

/** The path of a content: plain names, which cannot lead out of a folder. */
export const contentPath = z.string().regex(new RegExp(`^${part}(?:/${part}){0,5}$`))

/** A content in the folder `files`, as it is stored. */
export const backupObject = stored.extend({ name: contentPath })

export type BackupObject = z.output<typeof backupObject>

/** A complete backup. */
export interface FoundBackup {
  /** Its time, which is the name of its folder. */
  readonly name: string
  readonly path: string
  readonly manifest: BackupManifest
}

const maxManifestBytes = 64_000_000
const nameForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/
const partName = '.part'

/** Returns the name of a backup that begins at a time. */
export const backupName = (at: number): string => new Date(at).toISOString().replaceAll(':', '-')

export const refuseBackup = (problem: string, remedy: string, cause?: unknown): never => {
  throw storageErrors.backup_refused({ problem, remedy }, cause === undefined ? {} : { cause })
}

export const damagedBackup = (problem: string) => storageErrors.backup_damaged({ problem })

const codes: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  EACCES: ['cannot be written by this user', 'Give this user write permission, or name another folder.'],
  EPERM: ['cannot be written by this user', 'Give this user write permission, or name another folder.'],
  EROFS: ['is on a read-only file system', 'Name another folder.'],
  ENOTDIR: ['is not a folder', 'Name a folder.'],
  EEXIST: ['is not a folder', 'Name a folder.'],
  ENOSPC: ['is on a full disk', 'Free disk space; earlier backups are unchanged.'],
  EDQUOT: ['is on a full disk', 'Free disk space; earlier backups are unchanged.'],
  EFBIG: ['does not accept a file of that size', 'Raise the limit; earlier backups are unchanged.'],
}

const sqliteFull = 13

/** Turns an error of the file system into `backup_refused`; returns others. */
export const folderError = (error: unknown, folder: string): unknown => {
  if (storageErrors.disk_full.is(error)) return folderError({ code: 'ENOSPC' }, folder)
  const { code = '', errcode } = error as { readonly code?: string; readonly errcode?: number }
  const known = codes[errcode === sqliteFull ? 'ENOSPC' : code]
  if (known === undefined) return error
  return storageErrors.backup_refused(
    { problem: `The folder ${folder} ${known[0]}.`, remedy: known[1] },
    { cause: error },
  )
}

/** @throws `backup_refused` if another process writes to it, or it cannot be written */
export const openBackupFolder = async (path: string) => {
  const [part, files] = [join(path, partName), join(path, 'files')]
  await mkdir(files, { recursive: true, mode: 0o700 })
  const lock = lockFolder(path)
  const remove = () => rm(part, { recursive: true, force: true })
  try {
    await remove()
    await mkdir(part, { mode: 0o700 })
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    /** For what is not complete; removed by `close`. */
    part,
    files,
    /** Makes a complete backup visible under its name. */
    async publish(folder: string, name: string): Promise<void> {
      await syncFolder(folder)
      await rename(folder, join(path, name))
      await syncFolder(path)
    },
    async close(): Promise<void> {
      await remove().finally(() => lock.release())
    },
  }
}

/** A backup folder that this process writes; parts of an interrupted backup are removed. */
export type OpenBackupFolder = Awaited<ReturnType<typeof openBackupFolder>>

const lockFolder = (path: string): ProcessLock => {
  try {
    return new ProcessLock(join(path, 'backup'), path)
  } catch (error) {
    if (storageErrors.database_in_use.is(error))
      return refuseBackup(`Another backup writes to ${path}.`, 'Wait until it is done.')
    if (storageErrors.database_read_only.is(error)) throw folderError({ code: 'EACCES' }, path)
    throw error
  }
}

/** Names of complete and incomplete backups, the newest first. */
export const listBackups = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch(error => {
    if (error.code !== 'ENOENT') throw folderError(error, folder)
    return refuseBackup(`The folder ${folder} does not exist.`, 'Name the folder of `sibyl backup`.')
  })
  return names
    .filter(name => nameForm.test(name))
    .sort()
    .reverse()
}

/**
 * Reads a backup.
 *
 * @param at its name. @default the newest complete one
 * @throws `backup_refused` without one, `backup_damaged` for an invalid manifest
 */
export const readBackup = async (folder: string, at?: string): Promise<FoundBackup> => {
  const names = await listBackups(folder)
  if (at !== undefined && !names.includes(at))
    return refuseBackup(`${folder} has no backup ${at}.`, `It has: ${names.slice(0, 20).join(', ') || 'none'}.`)
  for (const name of at === undefined ? names : [at]) {
    const path = join(folder, name)
    const text = await readFile(join(path, 'manifest.json'), 'utf8').catch(error => {
      if (error.code !== 'ENOENT') throw folderError(error, folder)
    })
    if (text === undefined) continue
    return { name, path, manifest: parseManifest(text, name) }
  }
  return at === undefined
    ? refuseBackup(`${folder} has no complete backup.`, 'Name the folder of `sibyl backup`, or make a backup.')
    : refuseBackup(`The backup ${at} is incomplete: it has no manifest.`, 'Name another one.')
}

const parseManifest = (text: string, name: string): BackupManifest => {
  try {
    if (text.length > maxManifestBytes) throw new Error('too large')
    return backupManifest.parse(JSON.parse(text))
  } catch {
    throw damagedBackup(`The manifest of the backup ${name} is invalid.`)
  }
}
