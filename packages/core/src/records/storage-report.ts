import * as z from 'zod'

const bytes = z.int().nonnegative()

/** A line of an oracle to `sibyl storage show`. */
export const storageReport = z.union([
  z.object({ reading: z.string() }),
  z.object({
    usage: z.object({
      engine: z.enum(['sqlite', 'postgres']),
      bytes,
      logBytes: bytes.optional(),
      freeBytes: bytes.optional(),
      tables: z.array(z.object({ name: z.string(), rows: z.int(), bytes, bytesPerDay: z.int().optional() })),
    }),
  }),
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
])
