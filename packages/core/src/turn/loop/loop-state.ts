import {
  getErrorMessage,
  type LanguageModelV4Message,
  type LanguageModelV4ToolResultOutput,
  type LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { optionsOf } from '@sibyl/models'
import { createIdGenerator, type TextStreamPart, type ToolSet } from 'ai'
import { jsonCopy } from '../../database/stored-json.ts'
import { isToolPart } from '../../sessions/stored-message.ts'
import { type CallOutcome, eventOf, OfferedTools, type ReadToolCall, type StepRecord } from '../calls/step-calls.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import type { TurnRun } from './turn-run.ts'

/** State that the steps of one model loop share, or the calls of a client. */
export class LoopState {
  readonly run: TurnRun
  readonly tools: OfferedTools
  /** Makes the ids of texts whose own id is taken. */
  readonly makeId = createIdGenerator({ prefix: 'aitxt', size: 24 })
  readonly textIds = new TakenIds(this.makeId)
  readonly reasoningIds = new TakenIds(this.makeId)
  readonly callIds: TakenIds
  /** The calls that cannot run, by their ids: the person sees them fail once. */
  readonly refusedCalls = new Set<string>()
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
    const taken = run.running.answer.parts.flatMap(part => (isToolPart(part) ? [part.toolCallId] : []))
    this.callIds = new TakenIds(createIdGenerator({ size: 9 }), taken)
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
    const event = eventOf(part)
    if (event) this.emit(event)
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

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

/** Returns the member of an event that a client reads; nothing where the provider gave nothing. */
export const metadataOf = (given: object | undefined | null) => (given == null ? {} : { providerMetadata: given })

/** Returns the result of a tool as the model reads it. */
export const resultOutput = (output: unknown): LanguageModelV4ToolResultOutput =>
  typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: jsonCopy(output) }

/** Returns the error of a tool as the model reads it. */
const errorOutput = (error: unknown): LanguageModelV4ToolResultOutput => ({
  type: 'error-text',
  value: getErrorMessage(error),
})

/** Returns the error of a tool that ran at the provider, which reads it again. */
export const providerErrorOutput = (error: unknown): LanguageModelV4ToolResultOutput => ({
  type: 'error-json',
  value: jsonCopy(error),
})

/** The answer of one step and the results of its calls: what the prompt of the next step has more than this one's. */
export class StepContent implements StepRecord {
  readonly #parts: (AssistantPart | TextBlock)[] = []
  readonly #results: LanguageModelV4ToolResultPart[] = []
  /** The calls in their order, by their ids. */
  readonly #order = new Map<string, number>()
  #calls = 0
  #answered = 0

  /** Whether every call that the oracle runs has its result, and there is one. */
  get isAnswered(): boolean {
    return this.#calls > 0 && this.#calls === this.#answered
  }

  /** Adds a part of the answer. Texts may grow afterwards. */
  add(part: AssistantPart | TextBlock): void {
    this.#parts.push(part)
  }

  addCall({ toolCallId, toolName, input, error, providerExecuted, providerMetadata }: ReadToolCall): void {
    if (!this.#order.has(toolCallId)) this.#order.set(toolCallId, this.#order.size)
    if (!providerExecuted) this.#calls += 1
    this.#parts.push({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: error && typeof input !== 'object' ? {} : input,
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
      ...optionsOf(providerMetadata),
    })
  }

  /** Adds the result of a call that the oracle ran, or did not run because of its error. */
  addResult(call: ReadToolCall, outcome: CallOutcome): void {
    const output = 'error' in outcome ? errorOutput(outcome.error) : resultOutput(outcome.output)
    const { toolCallId, toolName, error, providerMetadata } = call
    this.#answered += 1
    const options = error ? {} : optionsOf(providerMetadata)
    this.#results.push({ type: 'tool-result', toolCallId, toolName, output, ...options })
  }

  /** The messages of this step; results stand in the order of the calls. */
  messages(): LanguageModelV4Message[] {
    const content = this.#parts.filter(
      part => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    ) as AssistantPart[]
    const place = ({ toolCallId }: LanguageModelV4ToolResultPart) => this.#order.get(toolCallId) ?? this.#order.size
    const results = this.#results.toSorted((one, other) => place(one) - place(other))
    return [
      ...(content.length > 0 ? [{ role: 'assistant' as const, content }] : []),
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ]
  }
}

/** A text or a thought of an answer, as it grows. */
export interface TextBlock {
  readonly type: 'text' | 'reasoning'
  text: string
  providerOptions?: Readonly<Record<string, unknown>>
}

/** The ids of one kind in a turn: providers may use an id again in the next step, readers need another. */
class TakenIds {
  readonly #used: Set<string>
  readonly #makeId: () => string

  /** @param used Ids of earlier parts of the answer. */
  constructor(makeId: () => string, used: readonly string[] = []) {
    this.#makeId = makeId
    this.#used = new Set(used)
  }

  /** Returns the id where nothing else has it, or else a new one. */
  reserve(id: string): string {
    let free = id
    while (this.#used.has(free)) free = this.#makeId()
    this.#used.add(free)
    return free
  }
}

export class StepCallIds {
  readonly #ids: TakenIds
  readonly #idOf = new Map<string, string>()

  constructor(ids: TakenIds) {
    this.#ids = ids
  }

  /** Returns the id in the turn of a call of this step. */
  begin(id: string): string {
    const known = this.#idOf.get(id) ?? this.#ids.reserve(id)
    this.#idOf.set(id, known)
    return known
  }

  /** Returns the id in the turn of a provider's id, also of a call of an earlier step. */
  idOf(id: string): string {
    return this.#idOf.get(id) ?? id
  }
}

/** The open blocks of one kind in one step. */
export class TextBlocks {
  readonly #ids: TakenIds
  readonly #idOf = new Map<string, string>()
  readonly #open = new Map<string, TextBlock>()

  constructor(ids: TakenIds) {
    this.#ids = ids
  }

  /** Opens a block. @returns its id in the turn */
  start(id: string, block: TextBlock): string {
    const reserved = this.#ids.reserve(id)
    this.#idOf.set(id, reserved)
    this.#open.set(reserved, block)
    return reserved
  }

  /** Returns the id in the turn of a provider's id. */
  idOf(id: string): string {
    return this.#idOf.get(id) ?? id
  }

  /** Returns an open block by its id in the turn. */
  find(id: string): TextBlock | undefined {
    return this.#open.get(id)
  }

  /** Closes a block. @param id the provider's */
  end(id: string): void {
    this.#open.delete(this.idOf(id))
    this.#idOf.delete(id)
  }
}
