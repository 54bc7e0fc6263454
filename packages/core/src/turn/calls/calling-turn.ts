import type { ToolCall } from '@sibyl/plugin'
import type { Agent, AgentAnswer, AgentTask } from '@sibyl/plugin/host'
import type { Telemetry } from '@sibyl/telemetry'
import type { CapabilityCatalog } from '../../tools/capability-catalog.ts'
import type { OfferedTool } from '../../tools/turn-tools.ts'
import type { ApprovalDependencies, AskingTurn } from '../approvals/asking-turn.ts'
import type { JudgedCall, ToolCallResult } from './run-tool-call.ts'

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

/** Dependencies of tool calls. */
export interface CallDependencies extends ApprovalDependencies {
  readonly catalog: CapabilityCatalog
  readonly limits: TurnLimits
  readonly telemetry: Telemetry
}

/** A turn that runs tool calls. */
export interface CallingTurn extends AskingTurn {
  readonly dependencies: CallDependencies
  /** Stores a place from which another process can continue the turn. @param calls that of `TurnCheckpoint` */
  readonly checkpoint: (calls: boolean) => Promise<void>
  /** Notes the result of a call for the stop rules. */
  readonly noteResult: (tool: string, input: unknown, output: string) => void
  /** Runs a call in place of `runToolCall`: those of an agent that had begun before its process ended. */
  readonly runCall?: ((call: JudgedCall, run: CallingTurn) => Promise<ToolCallResult>) | undefined
  /** Runs the task of an agent; loaded on first use. */
  readonly runAgent: (offered: OfferedTool, agent: Agent, task: AgentTask, call: ToolCall) => Promise<AgentAnswer>
}
