import type { Route } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import { accessOf, type OwnedRoute } from './route-chain.ts'

/** One HTTP route of an oracle. */
export interface RouteRecord {
  /** `core`, or the plugin that offers it. */
  readonly owner: string
  /** The enforced access. */
  readonly access: Access
  readonly definition: Route['definition']
  /** Whether its requests are counted against a limit. */
  readonly rateLimited: boolean
  /** Formats its errors, instead of problem documents. */
  readonly refuse?: Route['refuse']
}

/** The routes of an oracle: none before they are complete. */
export class RouteRegistry {
  #records: readonly RouteRecord[] = []

  /** The routes, those of core first. */
  get records(): readonly RouteRecord[] {
    return this.#records
  }

  complete(routes: readonly OwnedRoute[]): void {
    this.#records = routes.map(owned => ({
      owner: owned.owner,
      access: accessOf(owned),
      definition: owned.route.definition,
      rateLimited: owned.route.rateLimit !== false,
      ...(owned.route.refuse ? { refuse: owned.route.refuse } : {}),
    }))
  }
}
