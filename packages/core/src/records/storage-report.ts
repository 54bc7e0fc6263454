import { z } from 'zod'

const bytes = z.int().nonnegative()

/** The size of a database, the largest table first. Rows and growth are estimates on PostgreSQL. */
export const storageUsage = z.object({
  engine: z.enum(['sqlite', 'postgres']),
  bytes,
  /** SQLite: bytes of the log. */
  logBytes: bytes.optional(),
  /** SQLite: bytes of the file that no table uses. */
  freeBytes: bytes.optional(),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      /** With the indexes of the table. */
      bytes,
      /** Those of the last 7 days, for each; missing if the rows have no time. */
      bytesPerDay: z.int().optional(),
    }),
  ),
})

export type StorageUsageRecord = z.infer<typeof storageUsage>

/** A line of an oracle to `sibyl storage show`. */
export const storageReport = z.union([
  z.object({ reading: z.string() }),
  z.object({ usage: storageUsage }),
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
])
