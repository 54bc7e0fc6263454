import type { Access, Route } from '@sibyl/plugin'

/** One HTTP route that an oracle answers. */
export interface RouteRecord {
  /** `core`, or the plugin that offers it. */
  readonly owner: string
  /** Who may call it, as it is enforced. */
  readonly access: Access
  readonly definition: Route['definition']
  /** Whether its requests are counted against a limit. */
  readonly rateLimited: boolean
  /** Whether it words refusals in a form of its own instead of problems. */
  readonly refusesInOwnForm: boolean
}
