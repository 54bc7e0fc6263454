import type { Logger } from '@sibyl/plugin'
import type { ServiceOf, turnPrices } from '@sibyl/protocol'
import type { Processes } from '@sibyl/storage'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { ToolCallStore } from './tool-call-store.ts'
import type { AfterHooks, TurnHookRunner } from './turn-hooks.ts'
import type { TurnNotifier } from './turn-notifier.ts'
import type { TurnStore } from './turn-store.ts'

/** Dependencies of the progress, the end and the recovery of turns. */
export interface StoreDependencies {
  readonly turns: TurnStore
  readonly sessions: SessionStore
  readonly approvals: ApprovalStore
  readonly toolCalls: ToolCallStore
  readonly hooks: TurnHookRunner
  readonly afterHooks: AfterHooks
  /** To and from the processes that share the database. */
  readonly notifier: TurnNotifier
  readonly processes: Processes
  readonly modelName: string
  /** Whether the timings of turns are stored. */
  readonly storesTimings: boolean
  /** The service that prices turns, if a plugin offers it. */
  readonly prices: () => ServiceOf<typeof turnPrices> | undefined
  readonly now: () => number
  readonly log: Logger
}
