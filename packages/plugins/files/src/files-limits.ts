import type { FilesEnv } from './files-env.ts'

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
