import { isOracleError } from '../errors/is-error.ts'
import { checkTarget, type ResolveName, readTarget } from './checked-target.ts'
import { OutboundFailed, OutboundRefused, OutboundTimeout } from './outbound-errors.ts'
import { type AddressRules, addressRules } from './public-address.ts'
import { createResolveName } from './resolve-name.ts'
import { type AnswerHead, type IncomingAnswer, sendRequest } from './send-request.ts'

/** A request and its limits. */
export interface GuardedRequest {
  /** @default 'GET' */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  /** Total time limit, with redirects and the body, in milliseconds. @default 10_000 */
  readonly timeLimitMs?: number
  /** Maximum bytes of the body that are read. @default 1_000_000 */
  readonly maxBytes?: number
  /** Maximum redirects; with 0 a redirect is returned. @default 3 */
  readonly maxRedirects?: number
  /** Also allows loopback and private networks, if the operator permits it. @default false */
  readonly allowPrivate?: boolean
  /**
   * Inspects each response before its body is read; an `OracleError` that it throws ends the request, and is rethrown.
   */
  readonly onHead?: (head: AnswerHead) => void
  readonly signal?: AbortSignal
}

/** A response. */
export interface GuardedAnswer extends IncomingAnswer {
  /** The final URL, after redirects. */
  readonly url: string
}

/** Sends a request to an address that a user or a model chose. */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<GuardedAnswer>

/** Dependencies of the guard. */
export interface GuardParts {
  readonly resolve: ResolveName
  readonly rules: (allowPrivate: boolean) => AddressRules
}

/** Creates the guard. */
export const createGuardedFetch =
  ({ resolve, rules }: GuardParts): GuardedFetch =>
  async (address, request = {}) => {
    const { timeLimitMs = 10_000, maxRedirects = 3, allowPrivate = false, signal } = request
    const limit = AbortSignal.timeout(timeLimitMs)
    const ended = signal ? AbortSignal.any([limit, signal]) : limit
    const follow = async (): Promise<GuardedAnswer> => {
      let step: Step = { url: readTarget(address), ...requestOf(request) }
      for (let redirects = 0; ; redirects += 1) {
        const target = await checkTarget(step.url, resolve, rules(allowPrivate))
        ended.throwIfAborted()
        const { maxBytes = 1_000_000, onHead } = request
        const answer = await sendRequest(target, { ...step, maxBytes, onHead, signal: ended })
        const next = maxRedirects > 0 ? redirected(step, answer) : undefined
        if (!next) return { ...answer, url: step.url.href }
        if (redirects >= maxRedirects) throw new OutboundRefused('redirects')
        step = next
      }
    }
    try {
      return await unlessAborted(follow(), ended)
    } catch (error) {
      if (isOracleError(error)) throw error
      if (limit.aborted) throw new OutboundTimeout(timeLimitMs)
      throw signal?.aborted ? signal.reason : new OutboundFailed(error)
    }
  }

/**
 * Sends a request to an address that a user or a model chose, such as that of a webhook. Only http and https, without
 * credentials in the URL, on the ports 80, 443 and from 1024; only to public addresses, which are checked after the
 * resolution and again at each redirect, and to which the connection is bound. Cookies are not stored, compression is
 * not requested. At a redirect to another origin only harmless headers are sent, such as `accept`.
 *
 * @throws OutboundRefused `outbound_refused` with its `fault`, OutboundFailed `outbound_failed`, OutboundTimeout
 * `outbound_timeout`, and the reason of `signal`
 * @example const { status } = await guardedFetch(webhook.url, { method: 'POST', body, maxRedirects: 0, timeLimitMs:
 * 5_000 })
 */
export const guardedFetch: GuardedFetch = createGuardedFetch({
  resolve: createResolveName(),
  rules: addressRules,
})

/** One request of a chain of redirects. */
interface Step {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

const requestOf = ({ method = 'GET', headers = {}, body }: GuardedRequest) => ({
  method,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body,
})

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** The headers that another server may receive. Any other may be a secret, such as an API key. */
const harmlessHeaders = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
])

/** Returns the request of a redirect (RFC 9110 §15.4); undefined if the response does not redirect. */
const redirected = (step: Step, { status, headers }: IncomingAnswer): Step | undefined => {
  const location = headers.get('location')
  if (!redirectStatuses.has(status) || location === null) return undefined
  const url = readTarget(location, step.url)
  const keepsBody = status === 307 || status === 308 || step.method === 'GET' || step.method === 'HEAD'
  const dropped = (name: string) =>
    (url.origin !== step.url.origin && !harmlessHeaders.has(name)) || (!keepsBody && name.startsWith('content-'))
  return {
    url,
    method: keepsBody ? step.method : 'GET',
    headers: Object.fromEntries(Object.entries(step.headers).filter(([name]) => !dropped(name))),
    body: keepsBody ? step.body : undefined,
  }
}

/** Stops waiting for a resolution, which has its own time limit. */
const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
