import type { LanguageModelV4, LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { ModelCallBounds } from '@sibyl/models'
import type { Logger } from '@sibyl/plugin'
import type { TurnPrices, Usage } from '@sibyl/protocol'
import type { Processes } from '@sibyl/storage'
import type { Telemetry } from '@sibyl/telemetry'
import type { ModelMessage } from 'ai'
import type { AttachedContentsRequest } from '../attachments/attached-contents.ts'
import type { CheckGrant } from '../auth/grant-check.ts'
import type { TokenBudgets } from '../budgets/token-budgets.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'
import type { TurnTools } from '../tools/turn-tools.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { HeldCalls } from './held-calls.ts'
import type { PromptProfile } from './prompt.ts'
import type { RunningTurn } from './running-turn.ts'
import type { StopRules } from './stop-rules.ts'
import type { ToolCallStore } from './tool-call-store.ts'
import type { AfterHooks, TurnHookRunner } from './turn-hooks.ts'
import type { TurnNotifier } from './turn-notifier.ts'
import type { TurnStore } from './turn-store.ts'

/** Settings of the files in messages. */
export type AttachmentSettings = Pick<AttachedContentsRequest, 'files' | 'inputs' | 'maxBytes'>

/** Limits of every turn. */
export interface TurnLimits {
  readonly timeLimitMs: number
  readonly toolTimeLimitMs: number
  /** The time within which a client returns the result of a call. */
  readonly clientToolTimeLimitMs: number
  readonly maxSteps: number
  readonly maxTokens: number
  readonly historyTokens: number
}

/** Dependencies that the parts of this folder share. */
export interface TurnDependencies {
  readonly turns: TurnStore
  readonly sessions: SessionStore
  readonly approvals: ApprovalStore
  readonly toolCalls: ToolCallStore
  readonly hooks: TurnHookRunner
  readonly afterHooks: AfterHooks
  readonly heldCalls: HeldCalls
  /** To and from the processes that share the database. */
  readonly notifier: TurnNotifier
  readonly processes: Processes
  readonly catalog: CapabilityCatalog
  readonly middleware: readonly LanguageModelV4Middleware[]
  readonly profile: PromptProfile
  readonly limits: TurnLimits
  readonly budgets: TokenBudgets
  readonly model: (bounds: ModelCallBounds) => Promise<LanguageModelV4>
  readonly modelName: string
  /** The reason why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
  /** Settings of the files in messages, as they are now. */
  readonly attachments: () => AttachmentSettings
  readonly checkGrant: CheckGrant
  /** Whether the timings of turns are stored. */
  readonly storesTimings: boolean
  /** The service that prices turns, if a plugin offers it. */
  readonly prices: () => TurnPrices | undefined
  readonly now: () => number
  readonly log: Logger
  readonly telemetry: Telemetry
}

/** The input of the model loop. */
export interface ModelInput {
  readonly model: LanguageModelV4
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
}

/** The result of a model loop. */
export interface ModelLoopResult {
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** The error that ended it. */
  readonly error?: unknown
}

/** One run of a turn: what its model loop and its tool calls share. */
export interface TurnRun {
  readonly running: RunningTurn
  readonly dependencies: TurnDependencies
  readonly tools: TurnTools
  readonly stopRules: StopRules
  /** The model loop, which agents behind tools run as well; loaded on first use. */
  readonly runModelLoop: (run: TurnRun, input: ModelInput) => Promise<ModelLoopResult>
}
