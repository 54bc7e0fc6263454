import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'

/** An error response of a route's definition. */
export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** Parts of the definition of a route: its responses and its body. */
export const routeAnswers = {
  /** A JSON response. */
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
  /** A problem response. @param description its codes */
  problem,
  /** A required JSON body. */
  body: <Schema extends z.ZodType>(schema: Schema) => ({
    required: true as const,
    content: { 'application/json': { schema } },
  }),
} as const
