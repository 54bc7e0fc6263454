import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@sibyl/plugin'
import { parseTraceParent, type Telemetry } from '@sibyl/telemetry'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { type ClientAddress, clientAddress, type ProxyTrust } from '../limits/client-address.ts'
import { addHeaders, addOutgoingHeaders, answerHeadersFor, crossOriginRules } from './answer-headers.ts'
import type { CoreEnvironment } from './core-environment.ts'
import { problemResponse } from './problem-response.ts'

export interface RequestWatchParts {
  readonly telemetry: Telemetry
  readonly log: Logger
  /** The level of the access log; probes and scrapes use `debug`. */
  readonly accessLogLevel: 'info' | 'debug'
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const probes: ReadonlySet<string> = new Set(['/', '/health', '/metrics'])

const requestIdForm = /^[\w.:-]{1,64}$/

/**
 * Assigns an id to every request, for all its log lines; counts it, traces it if traces are on and it is not a probe,
 * and logs one line after its response: the template of the route, never the path or the query.
 */
export const watchRequests = (parts: RequestWatchParts): MiddlewareHandler<CoreEnvironment> => {
  const { work, tracer } = parts.telemetry
  const templates = new Map<string, string>()
  return async (c, next) => {
    const startedAt = performance.now()
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && requestIdForm.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    const method = knownMethods.has(c.req.method) ? c.req.method : 'OTHER'
    const span = tracer?.start({
      name: method,
      kind: 'server',
      parent: parseTraceParent(c.req.header('traceparent')),
      attributes: { 'http.request.method': method },
    })
    const report = (status: number) => {
      const route = routeOf(c, templates)
      const durationMs = performance.now() - startedAt
      const code = c.get('problemCode')
      parts.telemetry.metrics.requestEnded(method, route, status, durationMs, code)
      const isProbe = probes.has(route)
      if (!isProbe) {
        span?.end({
          name: `${method} ${route}`,
          attributes: { 'http.route': route, 'http.response.status_code': status, 'sibyl.request.id': requestId },
          error: status >= 500 ? (code ?? String(status)) : undefined,
        })
      }
      const actor = c.get('actor')
      const level = isProbe ? 'debug' : parts.accessLogLevel
      parts.log[level]('a request was answered', {
        requestId,
        method,
        route,
        status,
        code,
        durationMs: Math.round(durationMs),
        ...(actor ? { actor: actor.did, via: actor.via } : {}),
        ...(c.get('clientAddress') === undefined ? {} : { address: c.get('clientAddress') }),
      })
    }
    await work.run({ fields: { requestId }, span }, next)
    whenAnswered(c, (status, error) =>
      work.run({ fields: {} }, () => {
        if (error) parts.log.error('an answer broke off', { requestId, error })
        report(status)
      }),
    )
  }
}

/**
 * Calls back when the response is sent or its client has disconnected; on other hosts than Node's server when it is
 * created.
 */
const whenAnswered = (c: Context<CoreEnvironment>, report: (status: number, error?: Error | null) => void): void => {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
  if (!outgoing || !('writeHead' in outgoing)) {
    report(c.res.status)
    return
  }
  const { status } = c.res
  const done = () => report(outgoing.headersSent ? outgoing.statusCode : status, outgoing.errored)
  if (outgoing.closed) done()
  else outgoing.once('close', done)
}

/** Returns the template of the route, such as `/chat/{id}/stream`; requests without one share a name. */
const routeOf = (c: Context<CoreEnvironment>, templates: Map<string, string>): string => {
  const path = routePath(c, -1)
  let template = templates.get(path)
  if (template === undefined) {
    const matched = path !== '*' && path !== '/*' && path !== ''
    template = matched ? path.replace(/:([^/{}]+)(\{[^}]*\})?/g, '{$1}') : 'unmatched'
    templates.set(path, template)
  }
  return template
}

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
  const base = parts.publicUrl === undefined ? '' : new URL(parts.publicUrl).pathname.replace(/\/+$/, '')
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
    const location = base === '' ? null : c.res.headers.get('location')
    if (location?.startsWith('/')) c.header('location', base + location)
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
