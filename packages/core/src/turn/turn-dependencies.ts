import type { LanguageModelV4, LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { Logger } from '@sibyl/plugin'
import type { ModelCallBounds } from '../agent/language-model.ts'
import type { CheckGrant } from '../auth/grant-check.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { BoundCalls } from './bound-calls.ts'
import type { OracleProfile } from './prompt.ts'
import type { ToolCallStore } from './tool-call-store.ts'

/** Limits of every turn. */
export interface TurnLimits {
  readonly timeLimitMs: number
  readonly toolTimeLimitMs: number
  readonly maxSteps: number
  readonly maxTokens: number
  readonly historyTokens: number
}

/** What performing a turn rests on. */
export interface TurnServices {
  readonly sessions: SessionStore
  readonly approvals: ApprovalStore
  readonly toolCalls: ToolCallStore
  readonly boundCalls: Pick<BoundCalls, 'hold'>
  readonly catalog: CapabilityCatalog
  readonly profile: OracleProfile
  readonly limits: TurnLimits
  readonly model: (bounds: ModelCallBounds) => Promise<LanguageModelV4>
  readonly middleware: readonly LanguageModelV4Middleware[]
  readonly checkGrant: CheckGrant
  readonly now: () => number
  readonly log: Logger
  readonly telemetry: Telemetry
}
