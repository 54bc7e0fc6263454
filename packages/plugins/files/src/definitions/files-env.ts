import { isObjectUrl, objectStoreVariables } from '@sibyl/plugin/storage'
import { z } from 'zod'

const megabytes = (max: number) => z.coerce.number().int().min(1).max(max)

export const filesEnv = z.object({
  FILES_DIR: z.string().trim().min(1).default('./.data/files').meta({
    description:
      'The folder for files. It is created with the first file, and on PostgreSQL at the first start. An oracle that cannot write to it does not start. Oracle processes that share a PostgreSQL database must share this folder; a process with another folder does not start.',
    example: './.data/files',
  }),
  FILES_URL: z.string().trim().max(1_000).refine(isObjectUrl, 'expected s3://bucket/folder').optional().meta({
    description: 'A folder in an S3-compatible object store for files, instead of FILES_DIR.',
    example: 's3://bucket/oracle',
    defaultText: 'files are in FILES_DIR',
  }),
  ...objectStoreVariables,
  FILES_QUOTA_MB: megabytes(1_000_000).default(100).meta({
    description: 'Most megabytes that one user may store, old versions included.',
    example: '100',
  }),
  FILES_TOTAL_MB: megabytes(1_000_000_000).default(20_000).meta({
    description: 'Most megabytes that all users together may store, old versions included.',
    example: '20000',
  }),
  FILES_MIN_FREE_MB: z.coerce.number().int().min(0).max(1_000_000_000).default(1_000).meta({
    description: 'Free space of the disk of FILES_DIR, in megabytes, below which no file is stored.',
    example: '1000',
  }),
  FILES_MAX_FILE_MB: megabytes(1_000).default(25).meta({
    description: 'Maximum size of a file, in megabytes.',
    example: '25',
  }),
  FILES_VERSION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30).meta({
    description: 'Days for which overwritten and deleted files can be restored; 0 keeps none.',
    example: '30',
  }),
})

export type FilesEnv = z.output<typeof filesEnv>

/** Limits of stored files. */
export interface FilesLimits {
  /** Limit of one holder. */
  readonly quotaBytes: number
  /** Limit of all users together. */
  readonly totalBytes: number
  /** Minimum free space on the disk. */
  readonly minFreeBytes: number
  readonly maxFileBytes: number
  /** Retention of old versions and deleted files, in milliseconds; 0 keeps none. */
  readonly versionMs: number
}

/** A decimal megabyte, as for disks and quotas. */
export const megabyte = 1_000_000
const day = 86_400_000

/** Maximum number of versions of one file; the oldest are deleted first. */
export const maxVersions = 100
/** Maximum number of files and versions of a holder together. */
export const maxRecords = 20_000

/** Returns the limits from the environment. */
export const filesLimits = (env: FilesEnv): FilesLimits => ({
  quotaBytes: env.FILES_QUOTA_MB * megabyte,
  totalBytes: env.FILES_TOTAL_MB * megabyte,
  minFreeBytes: env.FILES_MIN_FREE_MB * megabyte,
  maxFileBytes: env.FILES_MAX_FILE_MB * megabyte,
  versionMs: env.FILES_VERSION_DAYS * day,
})
