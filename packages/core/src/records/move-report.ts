import * as z from 'zod'

/** A line of an oracle to `sibyl storage move`. */
export const moveReport = z.union([
  z.object({
    progress: z.object({ step: z.enum(['copy', 'check']), table: z.string(), rows: z.int(), total: z.int() }),
  }),
  z.object({
    moved: z.object({
      tables: z.array(z.object({ name: z.string(), rows: z.int(), digest: z.string() })),
      /** Unknown tables that stayed behind. */
      left: z.array(z.string()),
      /** Problems in equal data, such as a chain of hashes that was invalid before. */
      problems: z.array(z.string()),
    }),
  }),
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
])
