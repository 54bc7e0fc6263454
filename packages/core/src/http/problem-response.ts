import type { Problem } from '@sibyl/protocol'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { OracleEnvironment } from '../plugins/route.ts'

/** An error answer before it is encoded. */
export interface ProblemFacts {
  readonly status: number
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  /** @default a phrase for the status */
  readonly title?: string
  readonly detail?: string
  readonly issues?: Problem['issues']
  readonly headers?: Readonly<Record<string, string>>
}

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Who is calling is not proven',
  402: 'Payment is needed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'In conflict with what is there',
  413: 'The request is too large',
  415: 'The content type is not supported',
  429: 'Too many requests',
  500: 'Something went wrong here',
  502: 'An upstream service failed',
  503: 'Not available now',
  504: 'An upstream service took too long',
}

/** Answers with RFC 9457 `application/problem+json`. */
export const problemResponse = (c: Context<OracleEnvironment>, facts: ProblemFacts): Response => {
  const problem: Problem = {
    type: `urn:sibyl:error:${facts.code}`,
    title: facts.title ?? titles[facts.status] ?? 'Error',
    status: facts.status,
    code: facts.code,
    ...(facts.detail === undefined ? {} : { detail: facts.detail }),
    ...(facts.issues ? { issues: facts.issues } : {}),
    requestId: c.get('requestId'),
  }
  return c.body(JSON.stringify(problem), facts.status as ContentfulStatusCode, {
    'content-type': 'application/problem+json',
    ...facts.headers,
  })
}
