import * as z from 'zod'

const content = {
  path: z.string().meta({ description: "Relative to the user's folder", example: 'reports/2026-W47.md' }),
  bytes: z.int().min(0),
  mediaType: z.string().meta({ example: 'text/markdown' }),
  sha256: z.string().meta({ description: 'SHA-256 of the content, in hexadecimal; in quotes it is the ETag' }),
}

/** A file for its owner. */
export const fileRecord = z.object({ ...content, createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() })

/** A version of a file for its owner. */
export const versionRecord = z.object({
  id: z.string().meta({ example: 'v12' }),
  ...content,
  writtenAt: z.iso.datetime(),
  endedAt: z.iso.datetime().meta({ description: 'Time at which it was overwritten or deleted' }),
  reason: z.enum(['replaced', 'deleted']),
})

/** The space that a user has. */
export const filesUsage = z.object({
  bytes: z.int().meta({ description: 'Size of all contents, each counted once, old versions included' }),
  quotaBytes: z.int(),
  maxFileBytes: z.int(),
  files: z.int(),
  versions: z.int(),
  versionDays: z.int().meta({ description: 'Days for which overwritten and deleted files can be restored' }),
})

export type FileRecord = z.output<typeof fileRecord>
export type VersionRecord = z.output<typeof versionRecord>
export type FilesUsage = z.output<typeof filesUsage>
