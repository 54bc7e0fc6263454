import type { OracleEnvironment, OracleVariables, Route } from '@sibyl/plugin'
import type { Context } from 'hono'
import type { ProvenInvocation } from '../auth/authenticate.ts'

/** Variables of a request inside core, beside those that plugins read. */
export interface CoreVariables extends OracleVariables {
  /** The code of an error response. */
  problemCode?: string
  /** The route's own form of refusals. */
  refuse?: Route['refuse']
  /** The request's invocation, for routes of core that spend it themselves; missing with bearers and API keys. */
  invocation?: ProvenInvocation
}

/** The Hono environment of every request inside core. */
export interface CoreEnvironment {
  Variables: CoreVariables
}

/** Returns a context as plugins may see it. */
export const pluginContext = (c: Context<CoreEnvironment>): Context<OracleEnvironment> =>
  c as unknown as Context<OracleEnvironment>
