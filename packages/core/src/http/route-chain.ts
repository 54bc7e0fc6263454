import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import type { MiddlewareHandler } from 'hono'
import { type AccessParts, lock } from './access-policy.ts'
import { type CoreEnvironment, pluginContext, type RequestCheck } from './core-environment.ts'
import { addOrigin, countAddress, countDid, countHandler, type RequestCounting, shedLoad } from './count-request.ts'
import { guardContentType, guardJson, jsonSchemaOf, limitBody, maxBodyBytes, validateBody } from './json-guard.ts'
import { problemResponse } from './problem-response.ts'

export interface OwnedRoute {
  /** `core`, or the plugin's name. */
  readonly owner: string
  readonly route: Route
  /** Missing in `getAuthExcludedRoutes` although public: needs a UCAN. */
  readonly locked?: boolean
  /** Listed in `getAuthExcludedRoutes` although its access is a UCAN: needs none. */
  readonly opened?: boolean
  /** The route spends the invocation in its own transaction. */
  readonly spendsNonce?: boolean
}

/** Returns the enforced access of a route. */
export const accessOf = ({ owner, route, locked, opened }: OwnedRoute): Access =>
  opened ? 'public' : locked ? { ucan: `${owner}/call` } : route.access

/** Dependencies of the chain before every handler. */
export interface RouteChainParts {
  readonly access: AccessParts
  readonly counting: RequestCounting
  /** Time limit of a handler, in milliseconds. */
  readonly handlerLimitMs: number
  /** The most bytes of the files of one message. */
  readonly maxAttachmentBytes: number
}

/**
 * Returns the steps before a handler: whether the process has too much work, the rate limit of the address, the check of the
 * route itself, the access check, the rate limit of the DID, the guards of the body, and the time limit.
 */
export const routeChain = (owned: OwnedRoute, parts: RouteChainParts): MiddlewareHandler<CoreEnvironment>[] => {
  const { route, spendsNonce } = owned
  const { rateLimit, admit, refuse, readsOnly, endsWork, definition, anyOrigin } = route
  const { counting } = parts
  const access = accessOf(owned)
  const gate = lock(access, parts.access, { spendsNonce, readsOnly })
  const takesBody = !['get', 'head'].includes(definition.method)
  const own = definition.middleware
  const startsTurn = spendsNonce === true || route.timeLimit === false
  const mayShed = takesBody && !endsWork && rateLimit !== false && access !== 'own' && access !== 'operator'
  const checks = [
    ...(anyOrigin ? [openToOrigins] : []),
    ...(refuse ? [inOwnForm(refuse)] : []),
    ...(mayShed ? [shedLoad(counting, startsTurn)] : []),
    ...(rateLimit === false ? [] : [countAddress(counting, rateLimit)]),
    ...(admit ? [admitted(admit)] : []),
    ...(access === 'public' ? [] : [preventCaching]),
    ...(gate ? [gate, addOrigin(counting)] : []),
    ...(gate && counting.perDid > 0 ? [countDid(counting)] : []),
    ...(takesBody ? bodyChecks(route, parts.maxAttachmentBytes) : []),
  ]
  const limit = route.timeLimit === false ? unlimited : limitHandler(parts.handlerLimitMs)
  const schema = jsonSchemaOf(route)
  const validate = schema === undefined ? [] : [validateBody(schema)]
  return [
    ...(takesBody ? [countHandler(counting)] : []),
    ...(own
      ? [runChecks(checks, limit), ...[own].flat(), ...(schema ? [runChecks(validate)] : [])]
      : [runChecks([...checks, ...validate], limit)]),
  ]
}

/** Sets no time limit, for handlers that wait for a turn. */
const unlimited: MiddlewareHandler<CoreEnvironment> = (_, next) => next()

/** Returns the guards of a body; a body that the handler reads as a stream is not inspected. */
const bodyChecks = (route: Route, maxAttachmentBytes: number): RequestCheck[] => {
  const types = bodyTypesOf(route)
  const max = route.maxBodyBytes ?? maxBodyBytes
  const inBase64 = route.takesFiles ? Math.ceil(maxAttachmentBytes / 3) * 4 : 0
  return [limitBody(max + inBase64), guardContentType(types), ...(types.includes('*/*') ? [] : [guardJson(max)])]
}

const inOwnForm =
  (refuse: NonNullable<Route['refuse']>): RequestCheck =>
  c => {
    c.set('refuse', refuse)
    return undefined
  }

const admitted =
  (admit: NonNullable<Route['admit']>): RequestCheck =>
  c => {
    const refusal = admit(pluginContext(c))
    return refusal && problemResponse(c, refusal)
  }

/** Prevents caches from storing responses for one caller. */
const preventCaching: RequestCheck = c => {
  c.get('answerHeaders')['cache-control'] = 'no-store'
  return undefined
}

/** Lets pages of every origin read the response. */
const openToOrigins: RequestCheck = c => {
  Object.assign(c.get('answerHeaders'), anyOriginHeaders)
  return undefined
}

const anyOriginHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** Returns the accepted media types of the body of a route. */
const bodyTypesOf = ({ definition }: Route): string[] =>
  Object.keys(definition.request?.body?.content ?? {}).map(type => type.toLowerCase())

/**
 * Runs several checks in one middleware, which is faster than one middleware each.
 *
 * @param step Called when all checks pass.
 */
export const runChecks =
  (
    checks: readonly RequestCheck[],
    step: MiddlewareHandler<CoreEnvironment> = (_, next) => next(),
  ): MiddlewareHandler<CoreEnvironment> =>
  async (c, next) => {
    for (const check of checks) {
      const refused = check(c)
      const answer = refused instanceof Promise ? await refused : refused
      if (answer) return answer
    }
    return step(c, next)
  }

/**
 * Responds for a handler that exceeds the time limit; the handler continues in the background. A stream counts as
 * answered once it has begun. If the body is still arriving, the connection is closed after the response, so that its
 * reader gets an error.
 */
export const limitHandler =
  (limitMs: number): MiddlewareHandler<CoreEnvironment> =>
  (c, next) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const detail = `This request took longer than ${limitMs / 1000} s. Its effects are unknown.`
        breakOffBody(c.env as NodeParts | undefined)
        resolve(problemResponse(c, { status: 503, code: 'request_time_limit', detail }))
      }, limitMs)
      const ended = () => {
        clearTimeout(timer)
        resolve()
      }
      next().then(ended, error => {
        clearTimeout(timer)
        reject(error)
      })
    })

/** Node's request and response, where the app runs on Node's server. */
interface NodeParts {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** Aborts a body that is still arriving after the response; Node itself would let its reader wait forever. */
const breakOffBody = ({ incoming, outgoing }: NodeParts = {}): void => {
  if (incoming?.complete === false) outgoing?.once('close', () => incoming.destroy())
}
