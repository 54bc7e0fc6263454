import type { Random } from '../frame/random.ts'
import type { Victim } from './victims.ts'

/** A request of somebody who has no part in the session, or is not the operator. */
export interface Attempt {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether it must be refused by its status. */
  readonly locked: boolean
}

/** What an attempt is made from. */
export interface AttemptParts {
  /** Another one for each attempt. */
  readonly index: number
  readonly victim: Victim
  /** The operator's token, for those that come near it. */
  readonly token: string
  readonly random: Random
}
