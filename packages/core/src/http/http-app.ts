import { randomUUID } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { StorageError } from '@sibyl/storage'
import type { MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type AccessParts, lock } from '../auth/access-policy.ts'
import { OracleError } from '../errors/oracle-error.ts'
import type { Logger } from '../logging/logger.ts'
import type { Access, OracleEnvironment, Route } from '../plugins/route.ts'
import { guardContentType, guardJson, limitBody } from './json-guard.ts'
import { problemResponse } from './problem-response.ts'
import { storageProblem } from './storage-problem.ts'

/** A route with whoever offers it. */
export interface OwnedRoute {
  /** `core`, or the plugin's name. */
  readonly owner: string
  readonly route: Route
  /** Left out of `getAuthExcludedRoutes` although public: needs a UCAN after all. */
  readonly locked?: boolean
  /** The route spends the invocation in its own transaction. */
  readonly spendsNonce?: boolean
}

/** Who may call a route, as its lock sees to. */
export const accessOf = ({ owner, route, locked }: OwnedRoute): Access =>
  locked ? { ucan: `${owner}/call` } : route.access

/** Headers of every answer. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** The app without a socket: every route registered one by one behind its lock. */
export const createHttpApp = (
  routes: readonly OwnedRoute[],
  access: AccessParts,
  log: Logger,
): OpenAPIHono<OracleEnvironment> => {
  const app = new OpenAPIHono<OracleEnvironment>({
    defaultHook: (result, c) => {
      if (result.success) return
      return problemResponse(c, {
        status: 400,
        code: 'input_invalid',
        detail: 'The request does not fit what this route takes.',
        issues: result.error.issues.slice(0, 20).map(issue => ({ path: issue.path.join('.'), message: issue.message })),
      })
    },
  })
  app.use(identifyRequest)
  app.onError((error, c) => {
    const requestId = c.get('requestId')
    if (error instanceof StorageError) {
      log.error('the database failed a request', { error, requestId })
      return problemResponse(c, storageProblem(error))
    }
    if (error instanceof OracleError) {
      if (error.status >= 500) log.warn('a request failed', { code: error.code, cause: error.cause, requestId })
      return problemResponse(c, { status: error.status, code: error.code, detail: error.message })
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problemResponse(c, { status: error.status, code: 'input_invalid', detail: 'The request is not readable.' })
    }
    log.error('a request failed', { error, requestId })
    return problemResponse(c, { status: 500, code: 'internal_error', detail: 'The error was logged.' })
  })
  app.notFound(c => {
    const allowed = methodsOf(app, c.req.path)
    if (allowed.length === 0) {
      return problemResponse(c, { status: 404, code: 'route_not_found', detail: 'There is no such route.' })
    }
    return problemResponse(c, {
      status: 405,
      code: 'method_not_allowed',
      detail: `This route answers ${allowed.join(', ')}.`,
      headers: { allow: allowed.join(', ') },
    })
  })
  const limit = limitBody()
  const guard = guardJson()
  for (const owned of routes) {
    const { route, spendsNonce } = owned
    const gate = lock(accessOf(owned), access, spendsNonce)
    const takesBody = !['get', 'head'].includes(route.definition.method)
    const middleware: MiddlewareHandler<OracleEnvironment>[] = [
      ...(gate ? [gate] : []),
      ...(takesBody ? [limit, guardContentType(bodyTypesOf(route)), guard] : []),
    ]
    const own = route.definition.middleware
    app.openapi(
      { ...route.definition, middleware: [...middleware, ...(own ? [own].flat() : [])] } as typeof route.definition,
      route.handle as never,
    )
  }
  return app
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that a path answers. */
const methodsOf = (app: OpenAPIHono<OracleEnvironment>, path: string): string[] =>
  methods.filter(method => app.router.match(method, path)[0].some(([[, route]]) => route.method === method))

/** The media types of the body that a route asks for. */
const bodyTypesOf = ({ definition }: Route): string[] =>
  Object.keys(definition.request?.body?.content ?? {}).map(type => type.toLowerCase())

const requestIdForm = /^[\w.:-]{1,64}$/

const identifyRequest: MiddlewareHandler<OracleEnvironment> = async (c, next) => {
  const given = c.req.header('x-request-id')
  const requestId = given !== undefined && requestIdForm.test(given) ? given : randomUUID()
  c.set('requestId', requestId)
  await next().catch((thrown: unknown) => {
    throw thrown instanceof Error ? thrown : new TypeError('something was thrown that is no error', { cause: thrown })
  })
  if (c.res.headers.has('x-hono-already-sent')) return
  const headers = Object.entries({ ...commonHeaders, 'x-request-id': requestId })
  try {
    for (const [name, value] of headers) c.res.headers.set(name, value)
  } catch {
    // What fetch gave back has headers that cannot be changed; Hono makes a copy.
    for (const [name, value] of headers) c.header(name, value)
  }
}
