import {
  type GuardedAnswer,
  guardedFetch,
  OutboundFailed,
  OutboundRefused,
  OutboundTimeout,
} from '@sibyl/plugin/outbound'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import type { SendOutcome } from './sms-provider.ts'

/** Schema of a text from a provider. */
export const shortText = z.string().max(500)

/** Schema of a provider's id, in characters that are safe for databases and logs. */
export const messageId = z.string().regex(/^[\x21-\x7e]{1,200}$/)

/** Returns a base URL whose path is kept when another one is appended. */
export const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

/** Time limit for a provider, in milliseconds. */
const providerTimeMs = 20_000

/** Maximum pause that a provider can request, in milliseconds. */
const longestPauseMs = 3_600_000

export interface ProviderRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request to the operator's URL of a provider. Throws the errors of `guardedFetch`. */
export const askProvider = ({ url, method = 'POST', headers, body }: ProviderRequest): Promise<GuardedAnswer> =>
  guardedFetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    timeLimitMs: providerTimeMs,
    maxBytes: 100_000,
    maxRedirects: 0,
    allowPrivate: true,
  })

/** Parses the JSON of a response; undefined if it is invalid or incomplete. */
export const jsonOf = ({ body, isComplete }: Pick<GuardedAnswer, 'body' | 'isComplete'>): unknown =>
  isComplete ? parseJson(Buffer.from(body).toString('utf8')) : undefined

/** Parser of a provider's responses to send requests. */
export interface AnswerReader {
  /** Parses a success response; undefined if it is invalid. */
  readonly readSuccess: (answer: GuardedAnswer) => SendOutcome | undefined
  /** Parses an error response; undefined if the status is sufficient. */
  readonly readError?: (answer: GuardedAnswer) => SendOutcome | undefined
}

/**
 * Sends a message by one request, and distinguishes certain from unknown outcomes: a message that may have been
 * accepted is never sent again.
 */
export const sendByRequest = async (request: ProviderRequest, read: AnswerReader): Promise<SendOutcome> => {
  let answer: GuardedAnswer
  try {
    answer = await askProvider(request)
  } catch (error) {
    return outcomeOfError(error)
  }
  const { status, headers } = answer
  if (status >= 200 && status < 300) {
    return read.readSuccess(answer) ?? { kind: 'unknown', reason: 'the provider returned an invalid response' }
  }
  const known = read.readError?.(answer)
  if (known) return known
  const pause = pauseOf(headers.get('retry-after'))
  if (status === 429 || (status === 503 && pause !== undefined)) {
    return { kind: 'refused', reason: 'the provider is busy', ...(pause === undefined ? {} : { retryAfterMs: pause }) }
  }
  if (status === 401 || status === 403) return { kind: 'refused', reason: 'the provider rejected the API key' }
  if (status >= 500 || status === 408) return { kind: 'unknown', reason: `the provider answered ${status}` }
  return { kind: 'failed', reason: `the provider answered ${status}` }
}

/** Error codes of connections that were never established: nothing was sent. */
const neverThere = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const outcomeOfError = (error: unknown): SendOutcome => {
  if (error instanceof OutboundRefused) return { kind: 'failed', reason: 'the address of the provider is not allowed' }
  if (error instanceof OutboundFailed) {
    const { code } = (error.cause ?? {}) as { readonly code?: unknown }
    if (typeof code === 'string' && neverThere.has(code)) {
      return { kind: 'refused', reason: `the provider is unreachable (${code})` }
    }
  }
  const why = error instanceof OutboundTimeout ? 'in time' : 'before the connection was closed'
  return { kind: 'unknown', reason: `the provider did not answer ${why}` }
}

/** Returns the pause of a `Retry-After` (RFC 9110, section 10.2.3), in milliseconds. */
const pauseOf = (header: string | null): number | undefined => {
  if (header === null) return undefined
  const seconds = /^\s*[0-9]{1,9}\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1_000, 1_000), longestPauseMs) : undefined
}
