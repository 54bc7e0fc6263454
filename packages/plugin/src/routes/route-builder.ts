import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import type { Context, Input } from 'hono'
import type { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import type { Access, OracleVariables, Route, RouteOptions } from './route.ts'
import { problem, routeAnswers } from './route-answers.ts'

/** HTTP methods that a route can have. */
export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A documented error: one of `defineErrors`, or its code and status. */
export interface DocumentedError {
  readonly code: string
  readonly status: number
}

/** Response of one status: a JSON schema with its description, or a response object of OpenAPI. */
export type DocumentedResponse =
  | { readonly description: string; readonly schema: z.ZodType }
  | NonNullable<RouteConfig['responses'][string]>

/** Definition of a route: its access, input and output. */
export interface RouteDefinition<
  Auth extends Access = Access,
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body = unknown,
> extends RouteOptions {
  readonly auth: Auth
  /** One line for the OpenAPI document. */
  readonly summary: string
  readonly description?: string
  /** Tags of core's routes; a plugin's routes are listed under the plugin's name. */
  readonly tags?: readonly string[]
  readonly params?: Params
  readonly query?: Query
  readonly headers?: Headers
  /** Schema of a JSON body; or a request body of OpenAPI, for other media types and bodies that may be missing. */
  readonly body?: Body
  /** Schema of the JSON response with status 200; or responses by their status. */
  readonly ok: z.ZodType | Readonly<Record<number, DocumentedResponse>>
  /** Errors of the handler, without common ones such as 400 `input_invalid` and 401. */
  readonly errors?: readonly DocumentedError[]
}

type ValueOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

type JsonOf<Body> = Body extends z.ZodType
  ? z.output<Body>
  : Body extends { readonly content: { readonly 'application/json': { readonly schema: infer Schema } } }
    ? ValueOf<Schema>
    : never

type InputOf<Params, Query, Headers, Body> = {
  in: object
  out: { param: ValueOf<Params>; query: ValueOf<Query>; header: ValueOf<Headers>; json: JsonOf<Body> }
} & Input

/** The context of a handler; with authentication, `c.get('actor')` is the caller. */
export type RouteContext<Variables extends object, Auth extends Access, Accepted extends Input = Input> = (Auth extends
  | 'public'
  | 'own'
  ? unknown
  : { get(key: 'actor'): Actor }) &
  Context<{ Variables: Variables }, string, Accepted>

/** Creates a route of one method; its handler may return any `Response`. */
export type CreateRoute<Variables extends object> = <
  const Auth extends Access,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Headers extends z.ZodObject | undefined = undefined,
  Body = undefined,
>(
  path: string,
  definition: RouteDefinition<Auth, Params, Query, Headers, Body>,
  handler: (c: RouteContext<Variables, Auth, InputOf<Params, Query, Headers, Body>>) => Response | Promise<Response>,
) => Route

/** Returns functions that create routes, for handlers whose context has these variables. */
export const routeBuilder = <Variables extends OracleVariables>(): Readonly<
  Record<RouteMethod, CreateRoute<Variables>>
> => {
  const creates =
    (method: RouteMethod): CreateRoute<Variables> =>
    (path, definition, handler) => {
      const { auth, summary, description, tags, params, query, headers, body, ok, errors, ...options } = definition
      const request = {
        ...(params === undefined ? {} : { params }),
        ...(query === undefined ? {} : { query }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body: isSchema(body) ? routeAnswers.body(body) : body }),
      } as NonNullable<RouteConfig['request']>
      return {
        access: auth,
        definition: createRoute({
          method,
          path,
          summary,
          ...(description === undefined ? {} : { description }),
          ...(tags === undefined ? {} : { tags: [...tags] }),
          ...(Object.keys(request).length > 0 ? { request } : {}),
          responses: { ...problemsOf(auth, errors ?? []), ...responsesOf(ok) },
        }),
        handle: handler as unknown as Route['handle'],
        ...options,
      }
    }
  return {
    get: creates('get'),
    post: creates('post'),
    put: creates('put'),
    patch: creates('patch'),
    delete: creates('delete'),
  }
}

/**
 * Creates routes whose input is validated and which are listed in the OpenAPI document.
 *
 * @example
 * route.get('/tides/{port}', {
 *   auth: 'public',
 *   summary: 'Returns the next tides',
 *   params: z.object({ port: z.string() }),
 *   ok: z.object({ tides: z.array(tide) }),
 *   errors: [tideErrors.port_unknown],
 * }, c => c.json({ tides: tidesOf(c.req.valid('param').port) }))
 */
export const route: Readonly<Record<RouteMethod, CreateRoute<OracleVariables>>> = routeBuilder<OracleVariables>()

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'safeParse' in value

const responsesOf = (ok: RouteDefinition['ok']): RouteConfig['responses'] =>
  isSchema(ok)
    ? { 200: routeAnswers.json('OK', ok) }
    : Object.fromEntries(
        Object.entries(ok).map(([status, response]) => [
          status,
          response && 'schema' in response ? routeAnswers.json(response.description, response.schema) : response,
        ]),
      )

/** Returns the problems by status: `` `file_not_found`, `file_gone` ``. */
const problemsOf = (auth: Access, errors: readonly DocumentedError[]): RouteConfig['responses'] => {
  const codes = new Map<number, Set<string>>()
  const add = (status: number, code: string) => codes.set(status, (codes.get(status) ?? new Set()).add(code))
  for (const { status, code } of errors) add(status, `\`${code}\``)
  const isLocked = auth !== 'public' && auth !== 'own'
  const described = [...codes].map(([status, names]) => [status, problem([...names].join(', '))])
  return {
    ...(isLocked ? { 403: problem('Not allowed') } : {}),
    ...Object.fromEntries(described),
  }
}
