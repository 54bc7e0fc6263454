import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../auth/actor.ts'
import type { SpentNonce } from '../sessions/spent-nonce.ts'

/** What a route handler finds in its context: `c.get('actor')`, `c.get('requestId')`. */
export interface OracleVariables {
  /** Who calls; unset on public routes. */
  actor?: Actor
  requestId: string
  /** The request's invocation, for routes of core that spend it themselves. */
  nonce?: SpentNonce
}

/** The Hono environment of every route. */
export interface OracleEnvironment {
  Variables: OracleVariables
}

/**
 * Who may call a route: anybody, the holder of an ability, of an API key listed in a variable (`name:key[:scopes[:did]]`),
 * the operator (`ORACLE_OPERATOR_TOKEN`), or `own` when the handler checks for itself (signed webhooks).
 */
export type Access =
  | 'public'
  | 'operator'
  | 'own'
  | { readonly ucan: string }
  | { readonly apiKey: string; readonly orUcan?: string }

/** One HTTP route of a plugin, made by `defineRoute`. */
export interface Route {
  readonly access: Access
  readonly definition: RouteConfig & { getRoutingPath(): string }
  handle(context: Context<OracleEnvironment>): Response | Promise<Response>
}

/**
 * Makes a route whose input is checked and which shows up in the OpenAPI document.
 *
 * @example
 * defineRoute('public', { method: 'get', path: '/hello', responses: { 200: { description: 'a greeting' } } }, c => c.text('hello'))
 */
export const defineRoute = <Path extends string, Config extends Omit<RouteConfig, 'path'> & { path: Path }>(
  access: Access,
  config: Config,
  handle: RouteHandler<Config, OracleEnvironment>,
): Route => ({
  access,
  definition: createRoute(config),
  handle: handle as unknown as Route['handle'],
})
