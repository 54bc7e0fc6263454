import { problemSchema } from '@sibyl/protocol'
import { z } from 'zod'
import type { Need } from './access/caller.ts'

/** Who may call a route: a key of `ENTITIES_API_KEYS`, or a UCAN with the ability. */
export const openTo = (ability: Need['ability']) => ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const

/** A JSON body that must be there. */
export const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { 'application/json': { schema } },
})

/** An answer in JSON. */
export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
})

/** An answer that is a problem. @param description the codes */
export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** How long a page is, and where it begins. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'How many at most' }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'What the page before gave as `next`; of the same filters' }),
})
