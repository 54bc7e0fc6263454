import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Logger } from '@sibyl/plugin'
import { parseTraceParent, type Telemetry } from '@sibyl/telemetry'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { OracleEnvironment } from '../plugins/route.ts'

/** What requests are watched with. */
export interface RequestWatchParts {
  readonly telemetry: Telemetry
  readonly log: Logger
  /** How important the line is that each request writes; probes and scrapes write it at `debug`. */
  readonly accessLogLevel: 'info' | 'debug'
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const probes: ReadonlySet<string> = new Set(['/', '/health', '/metrics'])

const requestIdForm = /^[\w.:-]{1,64}$/

/**
 * Gives every request its id, which what runs for it knows; counts it, traces it where traces are on and it is no probe,
 * and writes one line about it once its answer has ended: the route's template, never the path or the query.
 */
export const watchRequests = (parts: RequestWatchParts): MiddlewareHandler<OracleEnvironment> => {
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
    const tell = (status: number) => {
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
        ...(code === undefined ? {} : { code }),
        durationMs: Math.round(durationMs),
        ...(actor ? { actor: actor.did, via: actor.via } : {}),
        ...(c.get('clientAddress') === undefined ? {} : { address: c.get('clientAddress') }),
      })
    }
    await work.run({ fields: { requestId }, span }, next)
    whenAnswered(c, status => work.run({ fields: {} }, () => tell(status)))
  }
}

/** Calls back once the answer has left or its reader is gone; on other hosts than Node's server once it is made. */
const whenAnswered = (c: Context<OracleEnvironment>, tell: (status: number) => void): void => {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
  if (!outgoing || !('writeHead' in outgoing)) {
    tell(c.res.status)
    return
  }
  const { status } = c.res
  const done = () => tell(outgoing.headersSent ? outgoing.statusCode : status)
  if (outgoing.closed) done()
  else outgoing.once('close', done)
}

/** The template of the route that answers, such as `/chat/{id}/stream`; what has none is one and the same. */
const routeOf = (c: Context<OracleEnvironment>, templates: Map<string, string>): string => {
  const path = routePath(c, -1)
  let template = templates.get(path)
  if (template === undefined) {
    const matched = path !== '*' && path !== '/*' && path !== ''
    template = matched ? path.replace(/:([^/{}]+)(\{[^}]*\})?/g, '{$1}') : 'unmatched'
    templates.set(path, template)
  }
  return template
}
