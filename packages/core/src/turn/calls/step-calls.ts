import {
  type LanguageModelV4FunctionTool,
  type LanguageModelV4StreamPart,
  type LanguageModelV4ToolCall,
  TypeValidationError,
} from '@ai-sdk/provider'
import { safeParseJSON } from '@ai-sdk/provider-utils'
import type { Tool } from '@sibyl/plugin'
import type { ToolRequest } from '@sibyl/plugin/host'
import { newId } from '@sibyl/plugin/host'
import {
  createIdGenerator,
  InvalidToolInputError,
  NoSuchToolError,
  type TextStreamPart,
  ToolCallRepairError,
  type ToolSet,
  toUIMessageChunk,
} from 'ai'
import { refusedCall } from '../../gate/capability-gate.ts'
import type { OfferedTool } from '../../tools/turn-tools.ts'
import { askForAnswer, askForApproval, type ModelToolCall } from '../approvals/ask-person.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import type { CallingTurn, JudgedCall, ToolCallResult } from './calling-turn.ts'
import { judgeCall, runToolCall } from './run-tool-call.ts'
import { safeToolError } from './tool-error-text.ts'

type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>

/** The output of a call, or the error that the model reads instead. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown }

/** Receives the calls of a step and their results. */
export interface StepRecord {
  addCall(call: ReadToolCall): void
  addResult(call: ReadToolCall, outcome: CallOutcome): void
}

const newApprovalId = createIdGenerator({ prefix: 'aitxt', size: 24 })

/** Returns a part as the AI SDK words it for its clients; undefined if it is not for them. */
export const eventOf = (part: TextStreamPart<ToolSet>): StreamEvent | undefined =>
  toUIMessageChunk(part, { onError: safeToolError }) as StreamEvent | undefined

/** The tool calls of one step. They are read as they come, and run together after it. */
export class StepCalls {
  readonly #run: CallingTurn
  readonly #offered: OfferedTools
  readonly #record: StepRecord | undefined
  /** The calls of the turn that cannot run, by their ids: the person sees them fail once. */
  readonly #refused: Set<string>
  readonly #calls = new Map<string, ReadToolCall>()
  #waiting: { readonly call: ReadToolCall; readonly judged: JudgedCall }[] = []
  #asks = false

  constructor(run: CallingTurn, offered: OfferedTools, refused = new Set<string>(), record?: StepRecord) {
    this.#run = run
    this.#offered = offered
    this.#refused = refused
    this.#record = record
  }

  /** Whether a call asks a person in the midst of its work. */
  get asks(): boolean {
    return this.#asks
  }

  /** Adds a call: one that cannot run has its result at once, one that needs an approval asks for it. */
  async add(part: ToolCallPart): Promise<void> {
    const call = await readToolCall(part, this.#offered, this.#run)
    if (this.#run.running.turn.signal.aborted) return
    this.#calls.set(call.toolCallId, call)
    this.#record?.addCall(call)
    this.#emit(callPart(call))
    if (call.error) this.#refuse(call, call.error)
    else if (call.judged) await this.#admit(call, call.judged)
  }

  find(toolCallId: string): ReadToolCall | undefined {
    return this.#calls.get(toolCallId)
  }

  /**
   * Runs the calls together. Their results become events in the order in which they come. A write begins once its call is stored
   * with the answer: a process that continues the turn does not ask the model for it again.
   */
  async run(): Promise<void> {
    const calls = this.#waiting
    this.#waiting = []
    if (calls.some(({ judged }) => mayWrite(judged.tool))) await this.#run.checkpoint(true)
    const runCall = this.#run.runCall ?? runToolCall
    let reported = Promise.resolve()
    await Promise.all(
      calls.map(async ({ call, judged }) => {
        const outcome = await runCall(judged, this.#run).catch((error: unknown) => ({ error }))
        reported = reported.then(() => this.#settle(call, outcome))
        await reported
      }),
    )
  }

  #emit(part: TextStreamPart<ToolSet>): void {
    const event = eventOf(part)
    if (event) this.#run.running.emit(event)
  }

  #refuse(call: ReadToolCall, error: Error): void {
    this.#refused.add(call.toolCallId)
    if (!call.providerExecuted) this.#record?.addResult(call, { error })
  }

  async #admit(call: ReadToolCall, judged: JudgedCall): Promise<void> {
    const mayAsk = this.#run.running.request.approvals === 'ask'
    if (judged.needsApproval && mayAsk) await askForApproval(this.#run, newApprovalId(), call, judged)
    else if (!call.providerExecuted) this.#waiting.push({ call, judged })
  }

  async #settle(call: ReadToolCall, outcome: ToolCallResult | { readonly error: unknown }): Promise<void> {
    if (this.#run.running.turn.signal.aborted) return
    if ('question' in outcome) {
      this.#asks = true
      return askForAnswer(this.#run, call, outcome.question)
    }
    this.#record?.addResult(call, outcome)
    if ('output' in outcome || !this.#refused.has(call.toolCallId)) this.#emit(outcomePart(call, outcome))
  }
}

/** Whether a call of a tool may change something, itself or by the tools of its agent. */
const mayWrite = ({ effect, agent }: Tool): boolean => effect === 'write' || agent !== undefined

/**
 * Runs calls of a client as one step of a turn: as if the model had made them, with its gate and its approvals. A turn that
 * goes on after an approval has no further calls.
 */
export const runClientCalls = async (run: CallingTurn, requests: readonly ToolRequest[]): Promise<void> => {
  if (requests.length === 0) return
  const offered = new OfferedTools(run)
  const calls = new StepCalls(run, offered)
  run.running.emit({ type: 'start-step' })
  offered.offer()
  for (const { tool: toolName, input } of requests) {
    await calls.add({ type: 'tool-call', toolCallId: newId('call'), toolName, input: JSON.stringify(input) })
  }
  await calls.run()
  run.running.emit({ type: 'finish-step' })
}

const callPart = ({ error, judged: _, ...call }: ReadToolCall) =>
  ({ ...call, type: 'tool-call', ...(error ? { invalid: true, error } : {}) }) as TextStreamPart<ToolSet>

const outcomePart = ({ toolCallId, toolName, input, providerMetadata }: ReadToolCall, outcome: CallOutcome) =>
  ({
    toolCallId,
    toolName,
    input,
    dynamic: false,
    ...(providerMetadata == null ? {} : { providerMetadata }),
    ...('error' in outcome
      ? { type: 'tool-error', error: outcome.error }
      : { type: 'tool-result', output: outcome.output }),
  }) as TextStreamPart<ToolSet>

export interface ReadToolCall extends ModelToolCall {
  readonly providerExecuted?: boolean | undefined
  readonly providerMetadata?: LanguageModelV4ToolCall['providerMetadata']
  readonly dynamic?: true
  /** The reason why it cannot run; the model reads it as the result. */
  readonly error?: Error
  /** The call as it is run; unset with an error, and for a tool that only the provider has. */
  readonly judged?: JudgedCall
}

/** Reads and judges a tool call. One of a tool that is not offered, or whose input does not fit, has an error and does not run. */
const readToolCall = async (
  call: LanguageModelV4ToolCall,
  offered: OfferedTools,
  run: CallingTurn,
): Promise<ReadToolCall> => {
  const { toolCallId, toolName, providerExecuted, providerMetadata } = call
  const facts = {
    toolCallId,
    toolName,
    providerExecuted,
    providerMetadata,
  }
  const parsed = call.input.trim() === '' ? emptyInput : await safeParseJSON({ text: call.input })
  const tool = offered.find(toolName)
  const unreadable = (error: NoSuchToolError | InvalidToolInputError): ReadToolCall => {
    const input = parsed.success && parsed !== emptyInput ? parsed.value : call.input
    return { ...facts, input, dynamic: true, error: explainDenial(toolName, run, error) }
  }
  const invalid = (cause: unknown) => unreadable(new InvalidToolInputError({ toolName, toolInput: call.input, cause }))
  // Only the provider has the schema of its own tools.
  if (!tool && !(providerExecuted && call.dynamic)) {
    return unreadable(new NoSuchToolError({ toolName, availableTools: [...offered.names] }))
  }
  if (!parsed.success) return invalid(parsed.error)
  const input = parsed.value
  if (!tool) return { ...facts, input, dynamic: true }
  const judged = await judgeCall(tool, { toolCallId, toolName, input }, run)
  if ('invalid' in judged) return invalid(TypeValidationError.wrap({ value: input, cause: judged.invalid }))
  return { ...facts, input: judged.given, judged }
}

const emptyInput = { success: true, value: {} } as const

/** Says of a call that the gate denies why it does. */
const explainDenial = (name: string, { tools }: CallingTurn, error: NoSuchToolError | InvalidToolInputError): Error => {
  const verdict = tools.judge(name)
  if (verdict.allowed || verdict.reason === 'unknown_tool') return error
  return new ToolCallRepairError({ cause: refusedCall(name, verdict), originalError: error })
}

/** The tools of a step: those that the gate allows when it begins. Each is described once per turn. */
export class OfferedTools {
  readonly #run: CallingTurn
  readonly #definitions = new Map<string, LanguageModelV4FunctionTool>()
  #offered: ReadonlyMap<string, OfferedTool> = new Map()

  constructor(run: CallingTurn) {
    this.#run = run
  }

  /** The names of the tools of this step. */
  get names(): Iterable<string> {
    return this.#offered.keys()
  }

  /** Begins a step with the tools that the gate allows now. */
  offer(): void {
    this.#offered = new Map(this.#run.tools.offered().map(offered => [offered.name, offered]))
  }

  /** Returns the tools of this step as the model is offered them; undefined if it has no tools. */
  definitions(): LanguageModelV4FunctionTool[] | undefined {
    const { catalog } = this.#run.dependencies
    const all = [...this.#offered.values()].flatMap(({ name, tool }) => {
      const known = this.#definitions.get(name)
      if (known) return known
      const portable = catalog.modelSchema(tool)
      if ('refusal' in portable) return []
      const { schema: inputSchema } = portable
      const made: LanguageModelV4FunctionTool = { type: 'function', name, inputSchema, description: tool.description }
      this.#definitions.set(name, made)
      return made
    })
    return all.length === 0 ? undefined : all
  }

  find(name: string): OfferedTool | undefined {
    return this.#offered.get(name)
  }
}
