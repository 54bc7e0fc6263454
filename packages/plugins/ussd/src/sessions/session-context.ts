import type { KeyedQueue, Logger } from '@sibyl/plugin'
import type { FlowCounts } from '../counts/flow-counts.ts'
import type { FlowMachine } from '../flow/flow-machine.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import type { ActionJobs } from './action-jobs.ts'
import type { ActionRuns } from './action-runs.ts'
import type { SessionSettings } from './session-env.ts'
import type { SessionSeals } from './session-seals.ts'
import type { SessionStore } from './session-store.ts'
import type { SessionTime } from './session-time.ts'

/** Services and settings that the parts of a session engine share. */
export interface SessionContext {
  readonly storage: UssdStorage
  readonly machine: FlowMachine
  readonly settings: SessionSettings
  readonly counts: Pick<FlowCounts, 'add'>
  readonly log: Logger
  readonly time: SessionTime
  readonly seals: SessionSeals
  readonly store: SessionStore
  readonly runs: ActionRuns
  readonly jobs: ActionJobs
  /** Sequential work per session. */
  readonly queue: KeyedQueue
  /** Returns the language that a phone's user chose before; called only at dials. */
  readonly knownLanguage: (phoneNumber: string) => Promise<string | undefined>
  /** Aborts when the engine is disposed of. */
  readonly signal: AbortSignal
}
