import type { Access, Route } from '@sibyl/plugin'

/** One HTTP route of an oracle. */
export interface RouteRecord {
  /** `core`, or the plugin that offers it. */
  readonly owner: string
  /** The enforced access. */
  readonly access: Access
  readonly definition: Route['definition']
  /** Whether its requests are counted against a limit. */
  readonly rateLimited: boolean
  /** Whether it has its own error format instead of problem documents. */
  readonly refusesInOwnForm: boolean
}
