import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { Access, Route, RouteOptions } from '@sibyl/plugin'
import type { CoreEnvironment } from './core-environment.ts'

/** Creates a route of core, whose handler reads core's own variables too. */
export const coreRoute = <Path extends string, Config extends Omit<RouteConfig, 'path'> & { path: Path }>(
  access: Access,
  config: Config,
  handle: RouteHandler<Config, CoreEnvironment>,
  options: RouteOptions = {},
): Route => ({
  access,
  definition: createRoute(config),
  handle: handle as unknown as Route['handle'],
  ...options,
})
