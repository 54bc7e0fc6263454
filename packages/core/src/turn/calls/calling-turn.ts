import type { ToolCall } from '@sibyl/plugin'
import type { Agent, AgentAnswer, AgentTask, PersonQuestion } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import type { Telemetry } from '@sibyl/telemetry'
import type { CapabilityCatalog } from '../../tools/capability-catalog.ts'
import type { OfferedTool } from '../../tools/turn-tools.ts'
import type { ApprovalDependencies, AskingTurn } from '../approvals/asking-turn.ts'
import type { Approval } from '../store/approval-store.ts'

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

/** The result of a call: its output, or its question to a person. */
export type ToolCallResult = { readonly output: JsonValue } | { readonly question: PersonQuestion }

/** A tool call with valid input that was judged once; `runToolCall` runs it. */
export interface JudgedCall extends OfferedTool {
  readonly toolCallId: string
  /** The input as the model gave it, without members that the tool does not know. */
  readonly given: unknown
  /** The input as the schema of the tool returns it. */
  readonly input: unknown
  /** Whether it requires an approval that no one gave. */
  readonly needsApproval: boolean
  readonly approvalData?: JsonValue
  /** The decision of the person, if the call waited for one. */
  readonly decided?: Approval
  /** Whether it had begun before its process ended, and may run again with the same key. */
  readonly repeats?: boolean
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
