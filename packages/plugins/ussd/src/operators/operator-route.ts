import type { RouteOptions } from '@sibyl/plugin'
import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'
import { addressLimit } from '../gateway/gateway.ts'
import type { OperatorLock } from './operator-lock.ts'

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** What the operator's routes share. */
export const operatorRoute = {
  description: 'For the operator, with `USSD_OPERATOR_TOKEN` as bearer, in every environment.',
  /** Asks for the token before the body of a request is read. */
  behind: (lock: OperatorLock): RouteOptions => ({
    rateLimit: addressLimit,
    admit: context => {
      lock(context)
      return undefined
    },
  }),
  problem,
  refusals: { 401: problem('`operator_token_needed`'), 429: problem('`rate_limited`') },
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
} as const
