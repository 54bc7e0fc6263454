import { createIdGenerator, type TextStreamPart, type ToolSet, toUIMessageChunk } from 'ai'
import { OfferedTools } from '../calls/read-tool-call.ts'
import { safeToolError } from '../calls/tool-error-text.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import { BlockIds } from './step-content.ts'
import type { TurnRun } from './turn-run.ts'

/** State that the steps of one model loop share, or the calls of a client. */
export class LoopState {
  readonly run: TurnRun
  readonly tools: OfferedTools
  /** Makes the ids of approvals, and of texts whose own id is taken. */
  readonly makeId = createIdGenerator({ prefix: 'aitxt', size: 24 })
  readonly textIds = new BlockIds(this.makeId)
  readonly reasoningIds = new BlockIds(this.makeId)
  /** The calls that cannot run, by their ids: the person sees them fail once. */
  readonly refusedCalls = new Set<string>()
  /** Whether a call asks a person in the midst of its work. */
  asks = false
  /** Whether the model failed; no step follows. */
  failed = false
  /** The first error. */
  error: unknown
  /** The text of the step, where it is checked before anyone reads it. */
  #checkedText = ''
  readonly #unknownParts = new Set<string>()

  constructor(run: TurnRun) {
    this.run = run
    this.tools = new OfferedTools(run)
  }

  get signal(): AbortSignal {
    return this.run.running.turn.signal
  }

  /** Adds an event to the turn. Where the answer has a schema, its text is kept back until it was checked. */
  emit(event: StreamEvent): void {
    const isText = event.type === 'text-start' || event.type === 'text-delta' || event.type === 'text-end'
    if (!isText || !this.run.running.request.answerSchema) this.run.running.emit(event)
    else if (event.type === 'text-delta') this.#checkedText += String(event.delta)
  }

  /** Returns the text that was kept back, and forgets it. */
  takeCheckedText(): string {
    const text = this.#checkedText
    this.#checkedText = ''
    return text
  }

  /** Adds a checked text to the turn. */
  emitText(text: string): void {
    const id = this.textIds.reserve(this.makeId())
    this.run.running.emit({ type: 'text-start', id })
    this.run.running.emit({ type: 'text-delta', id, delta: text })
    this.run.running.emit({ type: 'text-end', id })
  }

  /** Adds a part to the turn as the AI SDK words it for its clients, if it does. */
  emitPart(part: TextStreamPart<ToolSet>): void {
    const event = toUIMessageChunk(part, { onError: safeToolError })
    if (event) this.emit(event as StreamEvent)
  }

  /** Notes a part that came out of place; the loop goes on. */
  noteError(error: unknown): void {
    this.error ??= error
  }

  /** Logs a type of parts that this version does not know, once. */
  noteUnknown(type: string): void {
    if (this.#unknownParts.has(type)) return
    this.#unknownParts.add(type)
    this.run.dependencies.log.warn('the language model sent a part of an unknown type; it is ignored', { type })
  }
}
