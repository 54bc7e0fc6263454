import type { FilesEnv } from './files-env.ts'

/** What a person may keep, and for how long. */
export interface FilesLimits {
  readonly quotaBytes: number
  readonly maxFileBytes: number
  /** How long old versions and deleted files are kept, in milliseconds; 0 keeps none. */
  readonly versionMs: number
}

/** A megabyte as disks are sold and quotas are told. */
export const megabyte = 1_000_000
const day = 86_400_000

/** Most versions of one file; the oldest go first. */
export const mostVersions = 100
/** Most files and versions of a person together. */
export const mostRecords = 20_000

/** The limits as the variables give them. */
export const filesLimits = (env: FilesEnv): FilesLimits => ({
  quotaBytes: env.FILES_QUOTA_MB * megabyte,
  maxFileBytes: env.FILES_MAX_FILE_MB * megabyte,
  versionMs: env.FILES_VERSION_DAYS * day,
})
