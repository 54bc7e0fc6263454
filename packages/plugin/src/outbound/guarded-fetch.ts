import { isOracleError } from '../errors/is-error.ts'
import { checkTarget, type ResolveName, readTarget } from './checked-target.ts'
import { OutboundFailed, OutboundRefused, OutboundTimeout } from './outbound-errors.ts'
import { type AddressRules, addressRules } from './public-address.ts'
import { createResolveName } from './resolve-name.ts'
import { type AnswerHead, type IncomingAnswer, sendRequest } from './send-request.ts'

/** What is sent, and what it may cost. */
export interface GuardedRequest {
  /** @default 'GET' */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** How long all of it may take, with redirects and the body, in milliseconds. @default 10_000 */
  readonly timeLimitMs?: number
  /** How many bytes of the body are read. @default 1_000_000 */
  readonly maxBytes?: number
  /** How many redirects are followed; with 0 a redirect is the answer. @default 3 */
  readonly maxRedirects?: number
  /** Lets it go to loopback and private networks too, where the operator allows that. @default false */
  readonly allowPrivate?: boolean
  /** Looks at each answer before its body is read; an `OracleError` that it throws ends the request, and is thrown. */
  readonly onHead?: (head: AnswerHead) => void
  readonly signal?: AbortSignal
}

/** An answer. */
export interface GuardedAnswer extends IncomingAnswer {
  /** Where it came from, after redirects. */
  readonly url: string
}

/** Sends a request to an address that a user or a model chose. */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<GuardedAnswer>

/** What the guard rests on. */
export interface GuardParts {
  readonly resolve: ResolveName
  readonly rules: (allowPrivate: boolean) => AddressRules
}

/** Makes the guard. */
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
 * credentials in the URL, on the ports 80, 443 and from 1024; only to addresses that are public, checked once the name was
 * looked up, and again at each redirect, and bound to what was checked. Cookies are not kept, compression is not asked for.
 * At a redirect to another origin only headers without secrets are sent, such as `accept`.
 *
 * @throws OutboundRefused `outbound_refused` with its `fault`, OutboundFailed `outbound_failed`, OutboundTimeout
 * `outbound_timeout`, and the reason of `signal`
 * @example
 * const { status } = await guardedFetch(webhook.url, { method: 'POST', body, maxRedirects: 0, timeLimitMs: 5_000 })
 */
export const guardedFetch: GuardedFetch = createGuardedFetch({
  resolve: createResolveName(),
  rules: addressRules,
})

/** One request on the way to the answer. */
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

/** The headers that another server may see. Any other may be a secret, such as an API key. */
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

/** The request that a redirect asks for (RFC 9110 §15.4); undefined where the answer is none. */
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

/** Does not wait for a lookup, which ends by its own time limit. */
const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
