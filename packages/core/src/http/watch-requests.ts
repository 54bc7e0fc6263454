import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Logger } from '@sibyl/plugin'
import { parseTraceParent, type Telemetry } from '@sibyl/telemetry'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { CoreEnvironment } from './core-environment.ts'

/** Dependencies of the request watch. */
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
        ...(code === undefined ? {} : { code }),
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
