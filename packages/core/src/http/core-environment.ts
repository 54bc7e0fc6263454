import type { Route } from '@sibyl/plugin'
import type { OracleEnvironment, OracleVariables } from '@sibyl/plugin/host'
import type { Context } from 'hono'
import type { ProvenInvocation } from '../auth/authenticate.ts'

/** Variables of a request inside core, in addition to those of plugins. */
export interface CoreVariables extends OracleVariables {
  /** The code of an error response. */
  problemCode?: string
  /** The error format of the route. */
  refuse?: Route['refuse']
  /** The invocation of the request, for routes of core that spend it themselves; missing with bearers and API keys. */
  invocation?: ProvenInvocation
}

/** The Hono environment of every request inside core. */
export interface CoreEnvironment {
  Variables: CoreVariables
}

export const pluginContext = (c: Context<CoreEnvironment>): Context<OracleEnvironment> =>
  c as unknown as Context<OracleEnvironment>

/** Checks a request before its handler: returns the rejecting response, or undefined to continue. */
export type RequestCheck = (c: Context<CoreEnvironment>) => Response | undefined | Promise<Response | undefined>
