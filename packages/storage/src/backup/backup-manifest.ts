import { z } from 'zod'
import { storageErrors } from '../errors/storage-errors.ts'

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

/** The form of the name of a backup. */
export const nameForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Returns the name of a backup that begins at a time. */
export const backupName = (at: number): string => new Date(at).toISOString().replaceAll(':', '-')

export const refuseBackup = (problem: string, remedy: string): never => {
  throw storageErrors.backup_refused({ problem, remedy })
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
