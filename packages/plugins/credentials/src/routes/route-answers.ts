import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'
import type { CredentialAbility } from '../access/credential-rights.ts'

/** What the routes' definitions share. */
export const routeAnswers = {
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
  problem: (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: problemSchema } },
  }),
  body: <Schema extends z.ZodType>(schema: Schema) => ({
    required: true as const,
    content: { 'application/json': { schema } },
  }),
}

/** Who gets to a handler; who may do more than ask is the handler's to say. */
export const credentialsAccess = (ability: CredentialAbility) =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const
