import {
  getErrorMessage,
  type LanguageModelV4Message,
  type LanguageModelV4ToolResultOutput,
  type LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { jsonCopy } from '../../database/stored-json.ts'
import type { ReadToolCall } from '../calls/read-tool-call.ts'

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

type ProviderOptions = NonNullable<AssistantPart['providerOptions']>

/** Returns the member of a prompt's part that a provider reads again; nothing where it gave nothing. */
export const optionsOf = (given: object | undefined | null): { readonly providerOptions?: ProviderOptions } =>
  given == null ? {} : { providerOptions: given as ProviderOptions }

/** Returns the member of an event that a client reads; nothing where the provider gave nothing. */
export const metadataOf = (given: object | undefined | null) => (given == null ? {} : { providerMetadata: given })

/** Returns the result of a tool as the model reads it. */
export const resultOutput = (output: unknown): LanguageModelV4ToolResultOutput =>
  typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: jsonCopy(output) }

/** Returns the error of a tool as the model reads it. */
export const errorOutput = (error: unknown): LanguageModelV4ToolResultOutput => ({
  type: 'error-text',
  value: getErrorMessage(error),
})

/** Returns the error of a tool that ran at the provider, which reads it again. */
export const providerErrorOutput = (error: unknown): LanguageModelV4ToolResultOutput => ({
  type: 'error-json',
  value: jsonCopy(error),
})

/** The answer of one step and the results of its calls: what the prompt of the next step has more than this one's. */
export class StepContent {
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

  /** Adds a call. */
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
  addResult(call: ReadToolCall, output: LanguageModelV4ToolResultOutput): void {
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

/** The ids of the blocks of one kind in a turn: providers may use an id again in the next step, readers need another. */
export class BlockIds {
  readonly #used = new Set<string>()
  readonly #makeId: () => string

  constructor(makeId: () => string) {
    this.#makeId = makeId
  }

  /** Returns the id where no other block has it, or else a new one. */
  reserve(id: string): string {
    let free = id
    while (this.#used.has(free)) free = this.#makeId()
    this.#used.add(free)
    return free
  }
}

/** The open blocks of one kind in one step. */
export class TextBlocks {
  readonly #ids: BlockIds
  readonly #idOf = new Map<string, string>()
  readonly #open = new Map<string, TextBlock>()

  constructor(ids: BlockIds) {
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
