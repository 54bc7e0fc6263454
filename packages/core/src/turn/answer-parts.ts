import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { convertUint8ArrayToBase64 } from '@ai-sdk/provider-utils'
import type { Usage } from '@sibyl/protocol'
import { createDownload, type TextStreamPart, type ToolSet } from 'ai'
import type { LoopState } from './loop-state.ts'
import { StepCalls } from './step-calls.ts'
import { optionsOf, StepContent } from './step-content.ts'
import { type TextBlock, TextBlocks } from './text-blocks.ts'

type Part = LanguageModelV4StreamPart

type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>

/**
 * Takes the parts of one answer of the model: each becomes an event of the turn, and what the model reads again is kept for
 * the next step. A type that this version does not know is logged and left out.
 */
export class AnswerParts {
  readonly #loop: LoopState
  readonly #content = new StepContent()
  readonly #calls: StepCalls
  readonly #texts: TextBlocks
  readonly #thoughts: TextBlocks
  readonly #startedAt = performance.now()
  #begun = false
  #finishReason: LanguageModelV4FinishReason['unified'] = 'other'
  #usage: LanguageModelV4Usage | undefined
  #responseMs = 0
  #hasOutput = false
  #hasEnd = false

  constructor(loop: LoopState) {
    this.#loop = loop
    this.#calls = new StepCalls(loop, this.#content)
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

  /** Whether the model said nothing, and not even that it was done. */
  get isMissing(): boolean {
    return !this.#hasEnd && !this.#hasOutput
  }

  /** Whether all calls have their results, so that the model can go on. */
  get isAnswered(): boolean {
    return this.#finishReason !== 'interrupted' && this.#content.isAnswered
  }

  /** The usage of this step; zero where the provider does not tell it. */
  get usage(): Usage {
    return {
      inputTokens: this.#usage?.inputTokens?.total ?? 0,
      cachedInputTokens: this.#usage?.inputTokens?.cacheRead ?? 0,
      outputTokens: this.#usage?.outputTokens?.total ?? 0,
    }
  }

  /** What the prompt of the next step has more than this one's. */
  messages(): LanguageModelV4Message[] {
    return this.#content.messages()
  }

  /** Takes the next part. @returns a promise where the part after it has to wait */
  take(part: Part): Promise<void> | undefined {
    if (part.type === 'stream-start') return this.#warn(part)
    if (!this.#begun) {
      this.#begun = true
      this.#loop.emit({ type: 'start-step' })
    }
    switch (part.type) {
      case 'text-start':
        return this.#start(part, this.#texts, { type: 'text', text: '' })
      case 'reasoning-start':
        return this.#start(part, this.#thoughts, { type: 'reasoning', text: '' })
      case 'text-delta':
        if (part.delta === '' && part.providerMetadata == null) return undefined
        return this.#extend(part, this.#texts, 'text')
      case 'reasoning-delta':
        return this.#extend(part, this.#thoughts, 'reasoning')
      case 'text-end':
        return this.#end(part, this.#texts, 'text')
      case 'reasoning-end':
        return this.#end(part, this.#thoughts, 'reasoning')
      case 'file':
      case 'reasoning-file':
        this.#hasOutput = true
        return this.#file(part)
      case 'custom':
        this.#content.add({ type: 'custom', kind: part.kind, ...optionsOf(part.providerMetadata) })
        return this.#loop.emitPart(part as TextStreamPart<ToolSet>) as undefined
      case 'source':
        return this.#loop.emitPart(part as TextStreamPart<ToolSet>) as undefined
      case 'tool-input-start':
        return this.#loop.emitPart({ ...part, dynamic: part.dynamic ?? false, title: undefined } as never) as undefined
      case 'tool-input-delta':
        if (part.delta !== '') this.#hasOutput = true
        this.#loop.emit({ type: 'tool-input-delta', toolCallId: part.id, inputTextDelta: part.delta })
        return undefined
      case 'tool-call':
        this.#hasOutput = true
        return this.#calls.take(part)
      case 'tool-result':
        return this.#calls.takeResult(part) as undefined
      case 'tool-approval-request':
        return this.#calls.takeApproval(part)
      case 'error':
        this.#hasEnd = true
        this.#finishReason = 'error'
        this.#loop.failed = true
        return this.#loop.noteFault(part.error) as undefined
      case 'finish':
        return this.#finish(part)
      case 'tool-input-end':
      case 'response-metadata':
      case 'ping':
      case 'raw':
        return undefined
      default:
        return this.#loop.noteUnknown((part satisfies never as { readonly type: string }).type) as undefined
    }
  }

  #warn({ warnings }: PartOf<'stream-start'>): undefined {
    if (warnings.length > 0) this.#loop.run.dependencies.log.warn('the language model warns', { warnings })
  }

  #start(
    { type, id, providerMetadata }: PartOf<'text-start' | 'reasoning-start'>,
    blocks: TextBlocks,
    block: TextBlock,
  ): undefined {
    const opened = { ...block, ...optionsOf(providerMetadata) }
    this.#content.add(opened)
    this.#loop.emit({ type, id: blocks.start(id, opened), ...metadataOf(providerMetadata) })
  }

  #extend(
    { type, id, delta, providerMetadata }: PartOf<'text-delta' | 'reasoning-delta'>,
    blocks: TextBlocks,
    kind: string,
  ): undefined {
    if (delta !== '') this.#hasOutput = true
    const blockId = blocks.idOf(id)
    this.#loop.emit({ type, id: blockId, delta, ...metadataOf(providerMetadata) })
    const block = this.#openBlock(blocks, blockId, kind)
    if (!block) return
    block.text += delta
    Object.assign(block, optionsOf(providerMetadata))
  }

  #end(
    { type, id, providerMetadata }: PartOf<'text-end' | 'reasoning-end'>,
    blocks: TextBlocks,
    kind: string,
  ): undefined {
    const blockId = blocks.idOf(id)
    this.#loop.emit({ type, id: blockId, ...metadataOf(providerMetadata) })
    const block = this.#openBlock(blocks, blockId, kind)
    if (block) Object.assign(block, optionsOf(providerMetadata))
    blocks.end(id)
  }

  #openBlock(blocks: TextBlocks, id: string, kind: string): TextBlock | undefined {
    const block = blocks.find(id)
    if (!block) this.#loop.noteFault(`${kind} part ${id} not found`)
    return block
  }

  async #file({ type, data, mediaType, providerMetadata }: PartOf<'file' | 'reasoning-file'>): Promise<void> {
    const bytes =
      data.type === 'data'
        ? data.data
        : (await createDownload()({ url: data.url, abortSignal: this.#loop.signal })).data
    const base64 = typeof bytes === 'string' ? bytes : convertUint8ArrayToBase64(bytes)
    this.#content.add({ type, data: { type: 'data', data: base64 }, mediaType, ...optionsOf(providerMetadata) })
    this.#loop.emitPart({ type, file: { base64, mediaType }, providerMetadata } as TextStreamPart<ToolSet>)
  }

  /** Calls run only where the model is done, or waits for them. */
  #finish({ finishReason, usage }: PartOf<'finish'>): Promise<void> | undefined {
    this.#hasEnd = true
    this.#finishReason = finishReason.unified
    this.#usage = usage
    this.#responseMs = performance.now() - this.#startedAt
    if (this.#finishReason === 'stop' || this.#finishReason === 'tool-calls') return this.#calls.run()
  }
}

const metadataOf = (providerMetadata: object | undefined | null) => (providerMetadata == null ? {} : { providerMetadata })
