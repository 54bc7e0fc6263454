import type { Random } from '../frame/random.ts'
import type { Victim } from './victims.ts'

/** A request of a caller who does not own the session, or is not the operator. */
export interface Attempt {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** True if its status must be a rejection. */
  readonly locked: boolean
}

/** Dependencies of an attempt. */
export interface AttemptParts {
  /** Another one for each attempt. */
  readonly index: number
  readonly victim: Victim
  /** The operator's token, for those that come near it. */
  readonly token: string
  readonly random: Random
}
