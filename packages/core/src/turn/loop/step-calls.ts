import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { TextStreamPart, ToolSet } from 'ai'
import { approvedAs, askForAnswer, askForApproval } from '../approvals/ask-person.ts'
import { type ReadToolCall, readToolCall } from '../calls/read-tool-call.ts'
import { needsApproval, runToolCall, type ToolCallResult } from '../calls/run-tool-call.ts'
import type { LoopState } from './loop-state.ts'
import {
  errorOutput,
  metadataOf,
  optionsOf,
  providerErrorOutput,
  resultOutput,
  type StepContent,
} from './step-content.ts'

type PartOf<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>

type Outcome = ToolCallResult | { readonly error: unknown }

/** The tool calls of one step. They are read as they come, and run together after it. */
export class StepCalls {
  readonly #loop: LoopState
  readonly #content: StepContent
  readonly #calls = new Map<string, ReadToolCall>()
  #waiting: ReadToolCall[] = []

  constructor(loop: LoopState, content: StepContent) {
    this.#loop = loop
    this.#content = content
  }

  /** Takes a call: one that cannot run has its result at once, one that needs an approval asks for it. */
  async take(part: PartOf<'tool-call'>): Promise<void> {
    const loop = this.#loop
    const call = await readToolCall(part, loop.tools, loop.run.tools)
    if (loop.signal.aborted) return
    this.#calls.set(call.toolCallId, call)
    this.#content.addCall(call)
    loop.emitPart(callPart(call))
    if (call.error) this.#refuse(call, call.error)
    else if (loop.tools.schemaOf(call.toolName)) await this.#admit(call)
  }

  /** Takes the result of a call that the provider ran. */
  takeResult({ toolCallId, toolName, result, isError, dynamic, providerMetadata }: PartOf<'tool-result'>): void {
    const output = isError ? providerErrorOutput(result) : resultOutput(result)
    this.#content.add({ type: 'tool-result', toolCallId, toolName, output, ...optionsOf(providerMetadata) })
    if (isError && this.#loop.refusedCalls.has(toolCallId)) return
    const facts = { toolCallId, toolName, input: undefined, providerExecuted: true, dynamic, providerMetadata }
    const outcome = isError ? { type: 'tool-error', error: result } : { type: 'tool-result', output: result }
    this.#loop.emitPart({ ...facts, ...outcome } as TextStreamPart<ToolSet>)
  }

  /** Returns a call of this step. */
  find(toolCallId: string): ReadToolCall | undefined {
    return this.#calls.get(toolCallId)
  }

  /** Runs the calls together. Their results become events in the order in which they come. */
  async run(): Promise<void> {
    const calls = this.#waiting
    this.#waiting = []
    let reported = Promise.resolve()
    await Promise.all(
      calls.map(async call => {
        const outcome = await this.#execute(call)
        reported = reported.then(() => this.#settle(call, outcome))
        await reported
      }),
    )
  }

  #refuse(call: ReadToolCall, error: Error): void {
    this.#loop.refusedCalls.add(call.toolCallId)
    if (!call.providerExecuted) this.#content.addResult(call, errorOutput(error))
  }

  async #admit(call: ReadToolCall): Promise<void> {
    const loop = this.#loop
    if (await needsPerson(loop, call)) await askForApproval(loop.run, loop.makeId(), call)
    else if (!call.providerExecuted) this.#waiting.push(call)
  }

  async #execute({ toolName, input, toolCallId }: ReadToolCall): Promise<Outcome> {
    const { run } = this.#loop
    try {
      return await runToolCall(run.tools.find(toolName)!, input, toolCallId, run)
    } catch (error) {
      return { error }
    }
  }

  async #settle(call: ReadToolCall, outcome: Outcome): Promise<void> {
    const loop = this.#loop
    if (loop.signal.aborted) return
    if ('question' in outcome) {
      loop.asks = true
      await askForAnswer(loop.run, call, outcome.question)
    } else if ('error' in outcome) {
      this.#content.addResult(call, errorOutput(outcome.error))
      if (!loop.refusedCalls.has(call.toolCallId)) loop.emitPart(outcomePart(call, outcome))
    } else {
      this.#content.addResult(call, resultOutput(outcome.output))
      loop.emitPart(outcomePart(call, outcome))
    }
  }
}

const needsPerson = async ({ run }: LoopState, { toolName, input }: ReadToolCall): Promise<boolean> => {
  const { running, tools } = run
  const offered = tools.find(toolName)
  if (!offered || running.request.approvals === 'deny' || approvedAs(running, offered, '')) return false
  if (!tools.judge(toolName).allowed) return false
  const parsed = await offered.tool.input.safeParseAsync(input)
  return parsed.success && needsApproval(offered, parsed.data, running.turn)
}

const callPart = ({ error, ...call }: ReadToolCall) =>
  ({ ...call, type: 'tool-call', ...(error ? { invalid: true, error } : {}) }) as TextStreamPart<ToolSet>

const outcomePart = (
  { toolCallId, toolName, input, providerMetadata }: ReadToolCall,
  outcome: { readonly output: unknown } | { readonly error: unknown },
) =>
  ({
    toolCallId,
    toolName,
    input,
    dynamic: false,
    ...metadataOf(providerMetadata),
    ...('error' in outcome
      ? { type: 'tool-error', error: outcome.error }
      : { type: 'tool-result', output: outcome.output }),
  }) as TextStreamPart<ToolSet>
