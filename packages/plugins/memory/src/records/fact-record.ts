import * as z from 'zod'

/** Schema of a fact over HTTP and in exports. */
export const factRecord = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  importance: z.int().min(1).max(5).describe('from 1, hardly worth it, to 5'),
  createdAt: z.iso.datetime().describe('first time it was stored'),
  updatedAt: z.iso.datetime().describe('last time it was stored'),
})

export type FactRecord = z.infer<typeof factRecord>
