import type { Actor } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { ChangeFilters } from './change-filters.ts'

/** The tables of this room. Times are milliseconds since 1970. */
export interface ChangesTables {
  entities_change_clock: {
    /** `transactions`. */
    name: string
    /** PostgreSQL: what is added to the number of a transaction, which begins anew when a database is moved. */
    past: number
  }
  entities_webhooks: WebhookRow
}

/** Where changes are sent. */
export interface WebhookRow {
  id: string
  /** The DID of who registered it. */
  owner: string
  /** The DID that it counts for; null in rows of before it was stored: the owner. */
  holder: string | null
  /** The network that it was registered from, where addresses share the places. */
  origin: string | null
  /** Whoever registered it; null in rows of before it was stored. */
  maker: JsonColumn<Actor, null>
  url: string
  filters: JsonColumn<ChangeFilters>
  /** The did:key of the oracle that its secret is derived from. */
  signer: string
  /** `given-up` once nothing was taken for too long, `stopped` once the right of its maker has ended. */
  state: 'active' | 'given-up' | 'stopped'
  /** With `sequence` the position of the last change that is done with. */
  transaction: number
  sequence: number
  /** Counts the jobs that deliver to it: only the latest may. */
  run: number
  /** How often in a row the next change was not taken. */
  failures: number
  failing_since: number | null
  next_try_at: number | null
  /** Why it was not taken the last time. */
  last_failure: string | null
  delivered_at: number | null
  created_at: number
}
