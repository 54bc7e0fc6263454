import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'
import type { OperatorLock } from './operator-lock.ts'
import type { RouteContext } from './trust.ts'

/** How many requests a minute an address may send to the operator's routes. */
const perMinute = 100

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** What the operator's routes on people and keys share: they are closed without `USSD_OPERATOR_TOKEN`, in development too. */
export const operatorRoute = {
  description: 'For the operator, with `USSD_OPERATOR_TOKEN` as bearer, in every environment.',
  /** Asks for the token before anything of the request is read. */
  behind: (lock: OperatorLock) => ({
    middleware: (async (context: RouteContext, next: () => Promise<void>) => {
      context.get('answerHeaders')['cache-control'] = 'no-store'
      lock(context)
      await next()
    }) as never,
  }),
  problem,
  refusals: { 401: problem('`operator_token_needed`'), 429: problem('`rate_limited`') },
  json: <Schema extends z.ZodType>(description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema } },
  }),
  options: { rateLimit: { name: 'ussd-operator', perMinute } },
} as const
