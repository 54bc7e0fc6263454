import type { RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../actors/actor.ts'
import type { ErrorIssue } from '../errors/oracle-error.ts'

/** Variables of a route's context: `c.get('actor')`, `c.get('requestId')`, `c.get('clientAddress')`. */
export interface OracleVariables {
  /** The caller; unset on public routes. */
  actor?: Actor
  requestId: string
  /**
   * Address of the client, as far as the operator trusts proxies: IPv4 with dots, IPv6 as eight groups. Unset on a host
   * that reports no address.
   */
  clientAddress?: string
  /** Headers added to the response. */
  answerHeaders: Record<string, string>
  /** The JSON of the body, after the check of size and depth and before the validation. */
  parsedBody?: unknown
}

/** The Hono environment of every route. */
export interface OracleEnvironment {
  Variables: OracleVariables
}

/**
 * The access of a route: public, an ability (with `orOperator` also the operator, with `keyHeaders` also a token in `api-key` or `x-api-key`), an API key in a variable
 * (`name:key[:scopes[:did]]`), the operator (`ORACLE_OPERATOR_TOKEN`), or `own` if the handler authenticates (signed
 * webhooks).
 */
export type Access =
  | 'public'
  | 'operator'
  | 'own'
  | { readonly ucan: string; readonly orOperator?: true; readonly keyHeaders?: true }
  | { readonly apiKey: string; readonly orUcan?: string }

/** Maximum requests per minute of an address to some routes. */
export interface RouteRateLimit {
  /** Routes with the same name share one count: `'ussd'`. */
  readonly name: string
  /** 0 means unlimited. */
  readonly perMinute: number
}

/** A request that was rejected before its handler, or whose handler failed. */
export interface RouteRefusal {
  readonly status: number
  /** Stable, snake_case: `rate_limited`, `input_invalid`, `json_invalid`, `internal_error`. */
  readonly code: string
  /** Safe to show. */
  readonly detail?: string | undefined
  /** Invalid parts of the input. */
  readonly issues?: readonly ErrorIssue[]
}

/** Options of a route. */
export interface RouteOptions {
  /**
   * Counts its requests by address separately from those of other routes, which `RATE_LIMIT_PER_MINUTE` limits; false:
   * not at all. A function decides for each request, before its body is read: by its headers and
   * `c.get('clientAddress')`.
   */
  readonly rateLimit?: RouteRateLimit | false | ((context: Context<OracleEnvironment>) => RouteRateLimit | false)
  /**
   * Checks a request before its body is read, by its headers and `c.get('clientAddress')`; a returned value rejects it.
   */
  readonly admit?: (context: Context<OracleEnvironment>) => RouteRefusal | undefined
  /** Maximum body size in bytes; a larger body than the default that is not JSON is read as a stream. @default 1_000_000 */
  readonly maxBodyBytes?: number
  /** Also accepts files as data: URLs in a JSON body, together up to `MAX_ATTACHMENT_MB`. @default false */
  readonly takesFiles?: boolean
  /**
   * The route only reads, although it has a body, such as a search for an address that must not be in a URL: the operator needs
   * `operator/read` alone. @default GET and HEAD only read
   */
  readonly readsOnly?: boolean
  /** The route ends work, so that it is also accepted while the process is overloaded. @default false */
  readonly endsWork?: boolean
  /** False for a handler that waits for a turn, which has a time limit of its own. @default REQUEST_TIME_LIMIT_SECONDS */
  readonly timeLimit?: false
  /** Pages of every origin may read its responses: for public documents. @default CORS_ORIGIN */
  readonly anyOrigin?: boolean
  /** Formats rejections instead of a problem document; missing headers are added. */
  readonly refuse?: (context: Context<OracleEnvironment>, refusal: RouteRefusal) => Response
}

/** One HTTP route of a plugin, created by `route`. */
export interface Route extends RouteOptions {
  readonly access: Access
  readonly definition: RouteConfig & { getRoutingPath(): string }
  handle(context: Context<OracleEnvironment>): Response | Promise<Response>
}
