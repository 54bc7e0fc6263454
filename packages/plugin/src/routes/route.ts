import type { RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../actors/actor.ts'

/** Variables of a route's context: `c.get('actor')`, `c.get('requestId')`, `c.get('clientAddress')`. */
export interface OracleVariables {
  /** The caller; unset on public routes. */
  actor?: Actor
  requestId: string
  /**
   * Address of the client, as far as the operator trusts proxies: IPv4 with dots, IPv6 as eight groups. Unset where
   * a host other than the oracle's own server reports no address.
   */
  clientAddress?: string
  /** Headers added to the response. */
  answerHeaders: Record<string, string>
  /** The JSON of the body, after its size and depth were checked and before it is validated. */
  parsedBody?: unknown
}

/** The Hono environment of every route. */
export interface OracleEnvironment {
  Variables: OracleVariables
}

/**
 * Who may call a route: anybody, the holder of an ability (with `orOperator` the operator as well), of an API key listed
 * in a variable (`name:key[:scopes[:did]]`), the operator (`ORACLE_OPERATOR_TOKEN`), or `own` when the handler checks for
 * itself (signed webhooks).
 */
export type Access =
  | 'public'
  | 'operator'
  | 'own'
  | { readonly ucan: string; readonly orOperator?: true }
  | { readonly apiKey: string; readonly orUcan?: string }

/** How many requests a minute an address may send to some routes. */
export interface RouteRateLimit {
  /** Routes with the same name share one count: `'ussd'`. */
  readonly name: string
  /** 0 is no limit. */
  readonly perMinute: number
}

/** A request that is not let through to its handler, or whose handler failed. */
export interface RouteRefusal {
  readonly status: number
  /** Stable, snake_case: `rate_limited`, `input_invalid`, `json_invalid`, `internal_error`. */
  readonly code: string
  /** Safe to show. */
  readonly detail?: string
}

/** Options of a route. */
export interface RouteOptions {
  /**
   * Counts its requests by address apart from those of other routes, which `RATE_LIMIT_PER_MINUTE` limits; false: not at
   * all. A function chooses for each request, before its body is read: by its headers and `c.get('clientAddress')`.
   */
  readonly rateLimit?: RouteRateLimit | false | ((context: Context<OracleEnvironment>) => RouteRateLimit | false)
  /** Looks at a request before its body is read, by its headers and `c.get('clientAddress')`; what it gives back refuses it. */
  readonly admit?: (context: Context<OracleEnvironment>) => RouteRefusal | undefined
  /** The largest body it takes, in bytes; one above the usual is for bodies that the handler reads as a stream. @default 1_000_000 */
  readonly maxBodyBytes?: number
  /** False for a handler that waits for a turn, which has a time limit of its own. @default REQUEST_TIME_LIMIT_SECONDS */
  readonly timeLimit?: false
  /** Words refusals in the route's own form instead of a problem; what is missing of the headers is added to it. */
  readonly refuse?: (context: Context<OracleEnvironment>, refusal: RouteRefusal) => Response
}

/** One HTTP route of a plugin, created by `route`. */
export interface Route extends RouteOptions {
  readonly access: Access
  readonly definition: RouteConfig & { getRoutingPath(): string }
  handle(context: Context<OracleEnvironment>): Response | Promise<Response>
}
