import type { ErrorIssue } from '@sibyl/plugin'
import type { problemSchema } from '@sibyl/protocol'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { addHeaders } from './answer-headers.ts'
import { type CoreEnvironment, pluginContext } from './core-environment.ts'

/** An error response before it is encoded. */
export interface ProblemFacts {
  readonly status: number
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  /** @default a phrase for the status */
  readonly title?: string
  readonly detail?: string | undefined
  readonly issues?: readonly ErrorIssue[]
  readonly headers?: Readonly<Record<string, string>>
}

const titles: Readonly<Record<number, string>> = {
  400: 'The request is invalid',
  401: 'Authentication is missing or invalid',
  402: 'Payment is required',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'The request took too long to arrive',
  409: 'Conflict with the current state',
  410: 'No longer available',
  412: 'Changed since it was read',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'The content type is not supported',
  416: 'The range does not exist',
  421: 'Misdirected request',
  422: 'The content is invalid',
  428: 'A precondition is required',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'Internal error',
  502: 'An upstream service failed',
  503: 'Temporarily unavailable',
  504: 'An upstream service took too long',
  507: 'No storage space is left',
}

/** The rejection of a request that cannot be parsed. */
export const notReadable: ProblemFacts = {
  status: 400,
  code: 'input_invalid',
  detail: 'The request cannot be read.',
}

/** Returns the problem document of an error response (RFC 9457). */
export const problemOf = (facts: ProblemFacts, requestId: string): z.infer<typeof problemSchema> => ({
  type: `urn:sibyl:error:${facts.code}`,
  title: facts.title ?? titles[facts.status] ?? 'Error',
  status: facts.status,
  code: facts.code,
  detail: facts.detail,
  ...(facts.issues ? { issues: [...facts.issues] } : {}),
  requestId,
})

/** Headers of every problem. */
export const problemHeaders = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' } as const

/** Returns a problem document (RFC 9457 `application/problem+json`), or the error format of the route. */
export const problemResponse = (c: Context<CoreEnvironment>, facts: ProblemFacts): Response => {
  c.set('problemCode', facts.code)
  return (
    ownRefusal(c, facts) ??
    c.body(JSON.stringify(problemOf(facts, c.get('requestId'))), facts.status as ContentfulStatusCode, {
      ...problemHeaders,
      ...facts.headers,
    })
  )
}

/** Returns the error response of the route itself; undefined if it has no error format, or fails. */
const ownRefusal = (c: Context<CoreEnvironment>, facts: ProblemFacts): Response | undefined => {
  const { status, code, detail, issues, headers = {} } = facts
  try {
    const refusal = { status, code, detail, ...(issues ? { issues } : {}) }
    const own = c.get('refuse')?.(pluginContext(c), refusal)
    if (own) addHeaders(own.headers, headers)
    return own
  } catch {
    return undefined
  }
}
