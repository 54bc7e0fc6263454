import { z } from 'zod'

const megabytes = (most: number) => z.coerce.number().int().min(1).max(most)

export const filesEnv = z.object({
  FILES_DIR: z.string().trim().min(1).default('./.data/files').meta({
    description:
      'The folder in which files are kept, made when the first one is, and on PostgreSQL at the first start. An oracle that may not write to it does not start. Where several oracle processes share a PostgreSQL database, they must share this folder too; one with another folder does not start.',
    example: './.data/files',
  }),
  FILES_QUOTA_MB: megabytes(1_000_000).default(100).meta({
    description: 'Most megabytes that one person may keep, old versions included.',
    example: '100',
  }),
  FILES_TOTAL_MB: megabytes(1_000_000_000).default(20_000).meta({
    description: 'Most megabytes that all persons together may keep, old versions included.',
    example: '20000',
  }),
  FILES_MIN_FREE_MB: z.coerce.number().int().min(0).max(1_000_000_000).default(1_000).meta({
    description: 'Megabytes of the disk of FILES_DIR that stay free: no file is kept below.',
    example: '1000',
  }),
  FILES_MAX_FILE_MB: megabytes(1_000).default(25).meta({
    description: 'The largest file, in megabytes.',
    example: '25',
  }),
  FILES_VERSION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30).meta({
    description: 'How many days overwritten and deleted files can be brought back; 0 keeps none.',
    example: '30',
  }),
})

export type FilesEnv = z.output<typeof filesEnv>

/** How much may be kept, and for how long. */
export interface FilesLimits {
  /** Of one holder. */
  readonly quotaBytes: number
  /** Of all persons together. */
  readonly totalBytes: number
  /** What stays free on the disk. */
  readonly minFreeBytes: number
  readonly maxFileBytes: number
  /** How long old versions and deleted files are kept, in milliseconds; 0 keeps none. */
  readonly versionMs: number
}

/** A megabyte as disks are sold and quotas are told. */
export const megabyte = 1_000_000
const day = 86_400_000

/** Most versions of one file; the oldest go first. */
export const mostVersions = 100
/** Most files and versions of a holder together. */
export const mostRecords = 20_000

/** The limits as the variables give them. */
export const filesLimits = (env: FilesEnv): FilesLimits => ({
  quotaBytes: env.FILES_QUOTA_MB * megabyte,
  totalBytes: env.FILES_TOTAL_MB * megabyte,
  minFreeBytes: env.FILES_MIN_FREE_MB * megabyte,
  maxFileBytes: env.FILES_MAX_FILE_MB * megabyte,
  versionMs: env.FILES_VERSION_DAYS * day,
})
