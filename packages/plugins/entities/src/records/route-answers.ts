import { problemSchema } from '@sibyl/protocol'
import { z } from 'zod'

/** What routes of this plugin answer, for their definitions. */
export const answers = {
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
  problem: (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: problemSchema } },
  }),
  headersOfEntity: z.object({
    location: z.string().meta({ description: 'Where the entity is read' }),
    etag: z.string().meta({ description: 'This state of it, for `If-Match`' }),
  }),
  headersOfChange: z.object({ etag: z.string().meta({ description: 'This state of it, for `If-Match`' }) }),
} as const
