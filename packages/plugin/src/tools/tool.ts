import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { z } from 'zod'
import type { RequiredAbility } from '../actors/holds-ability.ts'
import type { Turn } from '../turns/turn.ts'

/** A person's answer to a question that a running tool asked. */
export interface PersonAnswer {
  /** False where the person would not answer, or refused. */
  readonly accepted: boolean
  /** What fits the question's schema; unchecked. */
  readonly data?: JsonValue
}

/** What a tool learns about the call it serves. */
export interface ToolCall {
  readonly turn: Turn
  readonly toolCallId: string
  /** Aborts when the turn stops or the tool's time is over. */
  readonly signal: AbortSignal
  /** Stable for this call, also after a restart: hand it to services that take one. */
  readonly idempotencyKey: string
  /** What the person gave with the approval, where the tool asked for it. */
  readonly approvalData?: JsonValue
  /** Whether somebody is there to be asked: where nobody is, `PersonNeeded` fails the call. */
  readonly canAsk: boolean
  /** What the person answered to the question that this call asked with `PersonNeeded`. */
  readonly answer?: PersonAnswer
  /** Adds a `data-<name>` part to the answer. */
  emit(part: { readonly name: string; readonly data: JsonValue }): void
}

/** Says of one call whether a person must approve it. (A method's type: it lets every `Tool` into `Tools`.) */
type ApprovalRule<Input> = { decide(input: Input, turn: Turn): 'user' | 'none' }['decide']

/** Something the agent can do. Its name is its key in the plugin's `tools`. */
export interface Tool<Input = unknown, Output = unknown> {
  /** For the model: what it does and when. */
  description: string
  /** Checks what the model sends; anything else never reaches `execute`. */
  input: z.ZodType<Input>
  /** What the model is shown of the input, as JSON Schema, where it does not follow from `input`. */
  inputSchema?: JsonObject
  /** Checks what `execute` gives back, and drops what is not named. */
  output?: z.ZodType<Output>
  /** `write`: the intent is stored before it runs, and it never runs again by itself. */
  effect: 'read' | 'write'
  /**
   * What the caller needs: an ability such as `notes/write`, or a list of which one is enough. Name the ability of the route
   * that does the same. Add `chat/personal` where the tool works on the caller's own data alone. @default `chat/send`
   */
  ability?: RequiredAbility
  /** `user`: runs only after the person approved this very call. */
  approval?: 'user' | ApprovalRule<Input>
  /** What an approval is for beside the name, such as a fingerprint: it does not hold for a tool that has another. */
  approvalScope?: string
  /** Plain words for the approval question, at most 1,000 characters; the arguments are shown beside it. */
  describe?(input: Input, turn: Turn): string | Promise<string>
  /** Seconds it may take. @default TOOL_TIME_LIMIT_SECONDS */
  timeLimitSeconds?: number
  /** Does it. Throw `ToolFailure` for a text that model and person may read; any other error is masked. */
  execute(input: Input, call: ToolCall): Promise<Output>
}

/** Tools by name: lower case, digits and underscores, unique in an oracle. */
export type Tools = Readonly<Record<string, Tool>>

/** Types a tool's `execute` by its schemas. @example const echo = defineTool({ input: z.object({ text: z.string() }), ... }) */
export const defineTool = <Input, Output>(tool: Tool<Input, Output>): Tool<Input, Output> => tool
