import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@sibyl/plugin'
import type { Context, MiddlewareHandler } from 'hono'
import { type ClientAddress, clientAddress, type ProxyTrust } from '../limits/client-address.ts'
import { addHeaders, addOutgoingHeaders, answerHeadersFor, crossOriginRules } from './answer-headers.ts'
import type { CoreEnvironment } from './core-environment.ts'
import { problemResponse } from './problem-response.ts'

/** Maximum length of a request URL, in characters. */
const maxUrlLength = 8_000

/** Headers of every response, and the trusted proxies. */
export interface RequestIdentityParts {
  readonly publicUrl: string | undefined
  readonly corsOrigins: readonly string[]
  readonly trust: ProxyTrust
  readonly log: Pick<Logger, 'warn'>
}

/** Facts from the server: the messages of Node, or the client address on another host. */
interface HostBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
  readonly clientAddress?: string
}

/** Sets the client address of every request, and the common headers of every response. */
export const identifyRequest = (parts: RequestIdentityParts): MiddlewareHandler<CoreEnvironment> => {
  const common = answerHeadersFor(parts.publicUrl)
  const rules = crossOriginRules(parts.corsOrigins)
  const logIgnored = logOnce(parts.log)
  return async (c, next) => {
    const crossOrigin = rules({ method: c.req.method, header: name => c.req.header(name) })
    const headers = { ...common, ...crossOrigin.headers, 'x-request-id': c.get('requestId') }
    c.set('answerHeaders', headers)
    const { address, ignoredBy } = addressOf(c, parts.trust)
    if (ignoredBy !== undefined) logIgnored(ignoredBy, address)
    if (address !== undefined) c.set('clientAddress', address)
    if (crossOrigin.preflight) return c.body(null, 204, headers)
    if (c.req.url.length > maxUrlLength) c.res = problemResponse(c, urlTooLong)
    else await next().catch(throwError)
    const outgoing = (c.env as HostBindings | undefined)?.outgoing
    if (outgoing && 'setHeader' in outgoing) return addOutgoingHeaders(outgoing, headers)
    try {
      addHeaders(c.res.headers, headers)
    } catch {
      // Headers of a fetch response are immutable; these are not.
      c.res = new Response(c.res.body, c.res)
      addHeaders(c.res.headers, headers)
    }
  }
}

const urlTooLong = {
  status: 414,
  code: 'url_too_long',
  detail: `The address of a request may have at most ${maxUrlLength} characters.`,
}

const throwError = (thrown: unknown): never => {
  throw thrown instanceof Error ? thrown : new TypeError('a thrown value is not an Error', { cause: thrown })
}

/** Logs each variable that causes a header to be ignored once: a client can send the header with every request. */
const logOnce = (log: Pick<Logger, 'warn'>) => {
  const logged = new Set<string>()
  return (variable: string, from: string | undefined): void => {
    if (logged.has(variable)) return
    logged.add(variable)
    log.warn(
      `X-Forwarded-For is ignored, because its sender is not a trusted proxy. If it is your proxy, set ${variable}.`,
      {
        variable,
        from,
      },
    )
  }
}

const addressOf = (c: Context<CoreEnvironment>, trust: ProxyTrust): ClientAddress => {
  const host = c.env as HostBindings | undefined
  return clientAddress(
    {
      remoteAddress: host?.clientAddress ?? host?.incoming?.socket?.remoteAddress,
      forwardedFor: c.req.header('x-forwarded-for'),
    },
    trust,
  )
}
