import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { z } from 'zod'
import type { RequiredAbility } from '../actors/holds-ability.ts'
import type { Turn } from '../turns/turn.ts'
import type { Agent } from './agent.ts'

/** The answer of the user to the question of a tool. */
export interface PersonAnswer {
  /** False if the user declined. */
  readonly accepted: boolean
  /** Data that should match the schema of the question; not validated. */
  readonly data?: JsonValue
}

/** The context of a tool call. */
export interface ToolCall {
  readonly turn: Turn
  readonly toolCallId: string
  /** Aborts when the turn stops or the time limit is exceeded. */
  readonly signal: AbortSignal
  /** Stable for this call, including after a restart: pass it to services that accept one. */
  readonly idempotencyKey: string
  /** Data that the user entered with the approval. */
  readonly approvalData?: JsonValue
  /** Whether a user can be asked: if not, `PersonNeeded` fails the call. */
  readonly canAsk: boolean
  /** The answer to the question that this call asked with `PersonNeeded`. */
  readonly answer?: PersonAnswer
  /** Adds a `data-<name>` part to the answer. */
  emit(part: { readonly name: string; readonly data: JsonValue }): void
}

/** Decides whether a call requires approval. (A method type: it allows every `Tool` in `Tools`.) */
type ApprovalRule<Input> = { decide(input: Input, turn: Turn): 'user' | 'none' }['decide']

/** An action of the agent. Its name is its key in `tools` of the plugin. */
export interface Tool<Input = unknown, Output = unknown> {
  /** For the model: its effect and when to use it. */
  description: string
  /** Validates the input of the model; invalid input never reaches `execute`. */
  input: z.ZodType<Input>
  /** The input as JSON Schema for the model, if it does not follow from `input`. */
  inputSchema?: JsonObject
  /** Validates the result of `execute`, and removes unknown members. */
  output?: z.ZodType<Output>
  /** `write`: the intent is stored before it runs, and it never runs again automatically, unless it is `repeatable`. */
  effect: 'read' | 'write'
  /**
   * Of a write: whether a second call with the same `idempotencyKey` changes nothing more and returns the same result. One that
   * was cut by the end of its process then runs again. For others, `outcome` finds out what became of it, or the user is asked.
   */
  repeatable?: boolean
  /**
   * Of a write: finds out by `call.idempotencyKey` whether a call took effect that was cut by the end of its process, and changes
   * nothing. Returns undefined if that is unknown. A call that was not applied runs again with its key.
   */
  outcome?(
    input: Input,
    call: ToolCall,
  ): Promise<{ readonly applied: true; readonly output: Output } | { readonly applied: false } | undefined>
  /**
   * The required ability, such as `notes/write`, or a list of which one is enough. Use the ability of the equivalent
   * route. Add `chat/personal` if the tool works only on data of the caller. @default `chat/send`
   */
  ability?: RequiredAbility | undefined
  /** `user`: requires approval of each call. */
  approval?: 'user' | ApprovalRule<Input> | undefined
  /** Binds an approval to more than the name, such as a fingerprint: it is not valid for a tool with another one. */
  approvalScope?: string
  /** Returns the first sentence of the approval question, at most 1,000 characters; every argument is shown below it. */
  describe?(input: Input, turn: Turn): string | Promise<string>
  /** Time limit in seconds. @default TOOL_TIME_LIMIT_SECONDS */
  timeLimitSeconds?: number
  /** The agent that works behind the tool, in place of `execute`: see `defineAgent`. */
  agent?: Agent
  /** Runs the tool. Throw `ToolFailure` for a message that model and user may read; any other error is masked. */
  execute(input: Input, call: ToolCall): Promise<Output>
}

/** Tools by name: lower case, digits and underscores, unique in an oracle. */
export type Tools = Readonly<Record<string, Tool>>

/**
 * Infers the types of `execute` from the schemas. @example const echo = defineTool({ input: z.object({ text: z.string()
 * }), ... })
 */
export const defineTool = <Input, Output>(tool: Tool<Input, Output>): Tool<Input, Output> => tool
