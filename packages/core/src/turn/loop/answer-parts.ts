import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { convertUint8ArrayToBase64 } from '@ai-sdk/provider-utils'
import { estimateTokens, optionsOf } from '@sibyl/models'
import type { Usage } from '@sibyl/protocol'
import type { ModelSpan } from '@sibyl/telemetry'
import { createDownload, type TextStreamPart, ToolCallNotFoundForApprovalError, type ToolSet } from 'ai'
import { askForApproval } from '../approvals/ask-person.ts'
import { StepCalls } from '../calls/step-calls.ts'
import { noUsage } from '../store/turn.ts'
import {
  type LoopState,
  metadataOf,
  providerErrorOutput,
  resultOutput,
  StepCallIds,
  StepContent,
  type TextBlock,
  TextBlocks,
} from './loop-state.ts'
import { usageOf } from './turn-run.ts'

type Part = LanguageModelV4StreamPart

type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>

/** Reasons for an end before the answer was whole. */
const cut: ReadonlySet<string> = new Set(['interrupted', 'length', 'content-filter'])

/**
 * Handles the parts of one answer of the model: each becomes an event of the turn, and is collected for the prompt of
 * the next step. An unknown type is logged and ignored.
 */
export class AnswerParts {
  readonly #loop: LoopState
  readonly #content = new StepContent()
  readonly #calls: StepCalls
  readonly #callIds: StepCallIds
  readonly #texts: TextBlocks
  readonly #thoughts: TextBlocks
  readonly #startedAt = performance.now()
  readonly #span: ModelSpan | undefined
  #begun = false
  #finishReason: LanguageModelV4FinishReason['unified'] = 'other'
  #usage: LanguageModelV4Usage | undefined
  #responseMs = 0
  #hasOutput = false
  #hasEnd = false
  #counted = false

  /** @param span The span of the step, if timings are stored. */
  constructor(loop: LoopState, span?: ModelSpan) {
    this.#loop = loop
    this.#span = span
    this.#calls = new StepCalls(loop.run, loop.tools, loop.refusedCalls, this.#content)
    this.#callIds = new StepCallIds(loop.callIds)
    this.#texts = new TextBlocks(loop.textIds)
    this.#thoughts = new TextBlocks(loop.reasoningIds)
  }

  get finishReason(): LanguageModelV4FinishReason['unified'] {
    return this.#finishReason
  }

  /** The time from the call of the model to its finish, in milliseconds. */
  get responseMs(): number {
    return this.#responseMs
  }

  /** Whether the model returned nothing, not even a finish part. */
  get isMissing(): boolean {
    return !this.#hasEnd && !this.#hasOutput
  }

  /** Whether all calls have their results, so that the model can go on. An answer that was cut ends the turn, also within a call. */
  get isAnswered(): boolean {
    return !cut.has(this.#finishReason) && this.#content.isAnswered
  }

  /** Whether a call asks a person in the midst of its work. */
  get asks(): boolean {
    return this.#calls.asks
  }

  /** The usage of this step; zero if the provider does not report it. */
  get usage(): Usage {
    return usageOf(this.#usage)
  }

  /** Counts the step and its usage, once. */
  count(): void {
    if (!this.#counted) this.#loop.run.running.addUsage(this.usage, 1)
    this.#counted = true
  }

  /** Counts a step that was cut by an estimate: the provider charges for it, and reports no usage. */
  countCut(prompt: LanguageModelV4Prompt): void {
    if (this.#counted) return
    this.#counted = true
    const textOf = (value: object) => JSON.stringify(value, (name, member: unknown) => (name === 'data' ? '' : member))
    const [inputTokens, outputTokens] = [prompt, this.#content.messages()].map(value => estimateTokens(textOf(value)))
    this.#loop.run.running.addUsage({ ...noUsage, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 }, 0)
  }

  /** Ends the span of the step. */
  endSpan(): void {
    this.#span?.ended({
      outcome: this.#finishReason === 'error' ? 'failed' : 'done',
      usage: this.usage,
      durationMs: this.#responseMs,
    })
  }

  /** Returns the messages that this step adds to the next prompt. */
  messages(): LanguageModelV4Message[] {
    return this.#content.messages()
  }

  /** Handles the next part. @returns a promise if the next part has to wait */
  take(part: Part): Promise<void> | undefined {
    if (part.type !== 'stream-start' && !this.#begun) {
      this.#begun = true
      this.#span?.partCame()
      this.#loop.emit({ type: 'start-step' })
    }
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#start(part)
        break
      case 'text-delta':
        if (part.delta !== '' || part.providerMetadata != null) this.#extend(part)
        break
      case 'reasoning-delta':
        this.#extend(part)
        break
      case 'text-end':
      case 'reasoning-end':
        this.#end(part)
        break
      case 'file':
      case 'reasoning-file':
        return this.#file(part)
      case 'custom':
        this.#content.add({ type: 'custom', kind: part.kind, ...optionsOf(part.providerMetadata) })
        this.#loop.emitPart(part)
        break
      case 'source':
        this.#loop.emitPart(part)
        break
      case 'tool-input-start': {
        const { title: _, ...start } = part
        this.#loop.emitPart({ ...start, id: this.#callIds.begin(part.id), dynamic: part.dynamic ?? false })
        break
      }
      case 'tool-input-delta':
        if (part.delta !== '') this.#hasOutput = true
        this.#loop.emit({
          type: 'tool-input-delta',
          toolCallId: this.#callIds.idOf(part.id),
          inputTextDelta: part.delta,
        })
        break
      case 'tool-call':
        this.#hasOutput = true
        return this.#calls.add(this.#withId(part))
      case 'tool-result':
        this.#takeResult({ ...part, toolCallId: this.#callIds.idOf(part.toolCallId) })
        break
      case 'tool-approval-request':
        return this.#askForApproval({ ...part, toolCallId: this.#callIds.idOf(part.toolCallId) })
      case 'error':
        this.#fail(part.error)
        break
      case 'finish':
        return this.#finish(part)
      case 'stream-start':
        this.#logWarnings(part)
        break
      case 'tool-input-end':
      case 'response-metadata':
      case 'ping':
      case 'raw':
        break
      default:
        this.#loop.noteUnknown((part satisfies never as { readonly type: string }).type)
    }
    return undefined
  }

  /** A provider reads its own record of a call by the id that it gave: a call with another id has none. */
  #withId(call: PartOf<'tool-call'>): PartOf<'tool-call'> {
    const toolCallId = this.#callIds.begin(call.toolCallId)
    if (toolCallId === call.toolCallId) return call
    const { providerMetadata: _, ...made } = call
    return { ...made, toolCallId }
  }

  #logWarnings({ warnings }: PartOf<'stream-start'>): void {
    if (warnings.length > 0) this.#loop.run.dependencies.log.warn('a warning from the language model', { warnings })
  }

  #blocksOf(type: string): TextBlocks {
    return type.startsWith('text') ? this.#texts : this.#thoughts
  }

  #start({ type, id, providerMetadata }: PartOf<'text-start' | 'reasoning-start'>): void {
    const block: TextBlock = {
      type: type === 'text-start' ? 'text' : 'reasoning',
      text: '',
      ...optionsOf(providerMetadata),
    }
    this.#content.add(block)
    this.#loop.emit({ type, id: this.#blocksOf(type).start(id, block), ...metadataOf(providerMetadata) })
  }

  #extend({ type, id, delta, providerMetadata }: PartOf<'text-delta' | 'reasoning-delta'>): void {
    if (delta !== '') this.#hasOutput = true
    const blocks = this.#blocksOf(type)
    const blockId = blocks.idOf(id)
    this.#loop.emit({ type, id: blockId, delta, ...metadataOf(providerMetadata) })
    const block = blocks.find(blockId)
    if (block) Object.assign(block, { text: block.text + delta, ...optionsOf(providerMetadata) })
    else this.#noteStray(type, blockId)
  }

  #end({ type, id, providerMetadata }: PartOf<'text-end' | 'reasoning-end'>): void {
    const blocks = this.#blocksOf(type)
    const blockId = blocks.idOf(id)
    this.#loop.emit({ type, id: blockId, ...metadataOf(providerMetadata) })
    const block = blocks.find(blockId)
    blocks.end(id)
    if (block) Object.assign(block, optionsOf(providerMetadata))
    else this.#noteStray(type, blockId)
  }

  /** Notes a part of a block that is not open. */
  #noteStray(type: string, id: string): void {
    this.#loop.noteError(`${type.startsWith('text') ? 'text' : 'reasoning'} part ${id} not found`)
  }

  async #file({ type, data, mediaType, providerMetadata }: PartOf<'file' | 'reasoning-file'>): Promise<void> {
    this.#hasOutput = true
    const bytes =
      data.type === 'data'
        ? data.data
        : (await createDownload()({ url: data.url, abortSignal: this.#loop.signal })).data
    const base64 = typeof bytes === 'string' ? bytes : convertUint8ArrayToBase64(bytes)
    this.#content.add({ type, data: { type: 'data', data: base64 }, mediaType, ...optionsOf(providerMetadata) })
    this.#loop.emitPart({ type, file: { base64, mediaType }, providerMetadata } as TextStreamPart<ToolSet>)
  }

  /** Adds the result of a call that the provider ran. */
  #takeResult({ toolCallId, toolName, result, isError, dynamic, providerMetadata }: PartOf<'tool-result'>): void {
    const output = isError ? providerErrorOutput(result) : resultOutput(result)
    this.#content.add({ type: 'tool-result', toolCallId, toolName, output, ...optionsOf(providerMetadata) })
    if (isError && this.#loop.refusedCalls.has(toolCallId)) return
    const facts = { toolCallId, toolName, input: undefined, providerExecuted: true, dynamic, providerMetadata }
    const outcome = isError ? { type: 'tool-error', error: result } : { type: 'tool-result', output: result }
    this.#loop.emitPart({ ...facts, ...outcome } as TextStreamPart<ToolSet>)
  }

  /** Asks a person whether a call of the provider's own may run. */
  #askForApproval({ approvalId, toolCallId }: PartOf<'tool-approval-request'>): Promise<void> | undefined {
    const call = this.#calls.find(toolCallId)
    if (call) return askForApproval(this.#loop.run, approvalId, call, call.judged)
    this.#fail(new ToolCallNotFoundForApprovalError({ toolCallId, approvalId }))
    return undefined
  }

  #fail(error: unknown): void {
    this.#hasEnd = true
    this.#finishReason = 'error'
    this.#loop.failed = true
    this.#loop.noteError(error)
  }

  /** Calls run only where the model is done, or waits for them. */
  #finish({ finishReason, usage }: PartOf<'finish'>): Promise<void> | undefined {
    this.#hasEnd = true
    this.#finishReason = finishReason.unified
    this.#usage = usage
    this.count()
    this.#responseMs = performance.now() - this.#startedAt
    return this.#finishReason === 'stop' || this.#finishReason === 'tool-calls' ? this.#calls.run() : undefined
  }
}
