import type { Decision } from '@sibyl/client'

/** What `sibyl chat` is called with. */
export interface ChatOptions {
  /** Say this and leave; `-` takes it from stdin. */
  readonly once?: string
  readonly json?: boolean
  readonly url?: string
  readonly session?: string
  readonly approve?: Decision
  /** Take the oracle's new DID for granted. */
  readonly trust?: boolean
}
