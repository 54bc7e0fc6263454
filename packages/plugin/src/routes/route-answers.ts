import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'

/** An error response of a route's definition. */
export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** Pieces of a route's definition: what it answers, and the body that it takes. */
export const routeAnswers = {
  /** An answer in JSON. */
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
  /** An answer that is a problem. @param description its codes */
  problem,
  /** A JSON body that must be there. */
  body: <Schema extends z.ZodType>(schema: Schema) => ({
    required: true as const,
    content: { 'application/json': { schema } },
  }),
} as const
