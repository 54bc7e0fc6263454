import { OpenAPIHono } from '@hono/zod-openapi'
import { isOracleError, type Logger } from '@sibyl/plugin'
import { StorageError } from '@sibyl/storage'
import { HTTPException } from 'hono/http-exception'
import type { CoreEnvironment } from './core-environment.ts'
import { overAddressLimit } from './count-request.ts'
import { inputProblem, jsonSchemaOf } from './json-guard.ts'
import { notReadable, type ProblemFacts, problemResponse } from './problem-response.ts'
import { accessOf, type OwnedRoute, type RouteChainParts, routeChain } from './route-chain.ts'
import { identifyRequest, type RequestIdentityParts, type RequestWatchParts, watchRequests } from './watch-requests.ts'

export interface HttpAppParts extends RouteChainParts, RequestIdentityParts, RequestWatchParts {
  readonly routes: readonly OwnedRoute[]
  readonly log: Logger
}

/** Creates the app without a socket: every route is registered separately with its access check. */
export const createHttpApp = (parts: HttpAppParts): OpenAPIHono<CoreEnvironment> => {
  const { routes, log } = parts
  const app = new OpenAPIHono<CoreEnvironment>({
    defaultHook: (result, c) => (result.success ? undefined : inputProblem(c, result.error)),
  })
  app.use(watchRequests(parts))
  app.use(identifyRequest(parts))
  app.onError((error, c) => {
    const requestId = c.get('requestId')
    if (error instanceof StorageError) {
      const problem = storageProblem(error)
      if (problem.status >= 500) log.error('a request failed because of the database', { error, requestId })
      return problemResponse(c, problem)
    }
    if (isOracleError(error)) {
      if (error.status >= 500) log.warn('a request failed', { code: error.code, cause: error.cause, requestId })
      return problemResponse(c, {
        status: error.status,
        code: error.code,
        detail: error.message,
        ...(error.issues ? { issues: error.issues.slice(0, 100) } : {}),
      })
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problemResponse(c, { ...notReadable, status: error.status })
    }
    if (c.req.raw.signal.aborted) {
      log.debug('a client disconnected before its request was read', { requestId })
      return problemResponse(c, {
        status: 400,
        code: 'request_incomplete',
        detail: 'The request ended before it was complete.',
      })
    }
    log.error('a request failed', { error, requestId })
    return problemResponse(c, { status: 500, code: 'internal_error', detail: 'The error was logged.' })
  })
  const pages = new Set(routes.filter(isPublicPage).map(({ route }) => route.definition.path))
  app.notFound(async c => {
    const refused = await overAddressLimit(c, parts.counting)
    if (refused) return refused
    const withoutSlash = c.req.path.replace(/\/+$/, '')
    if (c.req.method === 'GET' && withoutSlash !== c.req.path && pages.has(withoutSlash)) {
      // Relative, as a proxy may have removed a part of the path.
      const last = withoutSlash.slice(withoutSlash.lastIndexOf('/') + 1)
      return c.body(null, 308, { location: `../${last}${new URL(c.req.url).search}` })
    }
    const allowed = methodsOf(app, c.req.path)
    // A handler that has the method found nothing at this path.
    if (allowed.length === 0 || allowed.includes(c.req.method)) {
      return problemResponse(c, { status: 404, code: 'route_not_found', detail: 'This route does not exist.' })
    }
    return problemResponse(c, {
      status: 405,
      code: 'method_not_allowed',
      detail: `This route accepts ${allowed.join(', ')}.`,
      headers: { allow: allowed.join(', ') },
    })
  })
  for (const owned of routes) {
    const { definition, handle } = owned.route
    const request = jsonSchemaOf(owned.route) ? { ...definition.request, body: undefined } : definition.request
    app.openapi({ ...definition, request, middleware: routeChain(owned, parts) } as typeof definition, handle as never)
  }
  return app
}

/** Returns whether a route is a page for people that needs no credential. */
const isPublicPage = (owned: OwnedRoute): boolean => {
  // A plugin in JavaScript may declare anything.
  const answer = owned.route.definition.responses?.[200] as
    | { readonly content?: Record<string, unknown> }
    | null
    | undefined
  const isPage = answer?.content?.['text/html'] !== undefined
  return isPage && owned.route.definition.method === 'get' && accessOf(owned) === 'public'
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const methodsOf = (app: OpenAPIHono<CoreEnvironment>, path: string): string[] =>
  methods.filter(method => app.router.match(method, path)[0].some(([[, route]]) => route.method === method))

/** Retry time for clients, in seconds. */
const retryAfterSeconds = 2

/**
 * Returns the response to a request that the database failed. All temporary errors have one code, so that clients need
 * not distinguish databases; the log has the exact one. A repeated request loses and duplicates nothing: a message is
 * identified by its id, a decision by its approval, each with a new invocation.
 */
const storageProblem = (error: StorageError): ProblemFacts => {
  if (String(error.facts?.kind).includes('NUL'))
    return { status: 400, code: 'input_invalid', detail: 'A text of the request has a NUL character. Remove it.' }
  return error.status === 503
    ? {
        status: 503,
        code: 'storage_unavailable',
        detail: 'The database does not respond. Send the same request again in a moment, with a new invocation.',
        headers: { 'retry-after': String(retryAfterSeconds) },
      }
    : { status: error.status, code: error.code, detail: 'The database rejected this request.' }
}
