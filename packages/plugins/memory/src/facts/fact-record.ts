import { z } from 'zod'
import type { Fact } from './fact.ts'

/** A fact as it is shown over HTTP and exported. */
export const factRecord = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  importance: z.int().min(1).max(5).describe('from 1, hardly worth it, to 5'),
  createdAt: z.iso.datetime().describe('when it was first told'),
  updatedAt: z.iso.datetime().describe('when it was last told'),
})

export type FactRecord = z.infer<typeof factRecord>

export const recordOf = ({ id, text, tags, importance, createdAt, updatedAt }: Fact): FactRecord => ({
  id,
  text,
  tags: [...tags],
  importance,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
})
