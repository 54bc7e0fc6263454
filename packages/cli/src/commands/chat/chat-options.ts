import type { Decision } from '@sibyl/client'
import type { OracleOptions } from '../open-oracle.ts'

/** What `sibyl chat` is called with. */
export interface ChatOptions extends OracleOptions {
  /** Say this and leave; `-` takes it from stdin. */
  readonly once?: string
  readonly json?: boolean
  readonly session?: string
  readonly approve?: Decision
  /** What the agent may do for the person. @default all that they may do themselves */
  readonly ability?: readonly string[]
}
