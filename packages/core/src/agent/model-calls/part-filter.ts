import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { cleanCallId, TextCleaner } from './clean-text.ts'
import { ModelCallFailed } from './model-call-failed.ts'
import { maxAnswerLength, maxArgumentsLength, maxPartLength } from './model-call-limits.ts'
import { RepeatedCalls } from './repeated-calls.ts'

type Part = LanguageModelV4StreamPart

/** What a part counts for beside its text, so that endless empty ones come to an end too. */
const partOverhead = 64

/**
 * Passes the parts of one answer on as the rest of the oracle may rely on them: texts that every database takes, sizes
 * within limits, each tool call once by its id, and nothing after the end.
 */
export class PartFilter {
  readonly #texts = new TextCleaner()
  readonly #repeated = new RepeatedCalls()
  readonly #dropped = new Set<string>()
  readonly #called = new Set<string>()
  readonly #argumentLengths = new Map<string, number>()
  readonly #raw: boolean
  #length = 0

  /** @param raw Whether chunks as they came are passed on. */
  constructor(raw: boolean) {
    this.#raw = raw
  }

  /**
   * What to pass on of a part.
   *
   * @throws ModelCallFailed `turn_too_large`
   */
  take(part: Part): readonly Part[] {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        this.#count(part.delta.length)
        const delta = this.#texts.piece(part.id, part.delta)
        return [delta === part.delta ? part : { ...part, delta }]
      }
      case 'text-end':
      case 'reasoning-end': {
        const rest = this.#texts.rest(part.id)
        if (rest === '') return [part]
        return [{ type: part.type === 'text-end' ? 'text-delta' : 'reasoning-delta', id: part.id, delta: rest }, part]
      }
      case 'tool-input-start':
        if (this.#called.has(cleanCallId(part.id)) || this.#repeated.begins(part.id)) this.#dropped.add(part.id)
        return this.#ofCall(part)
      case 'tool-input-delta':
        this.#count(part.delta.length)
        this.#countArguments(part.id, part.delta.length)
        return this.#ofCall(part)
      case 'tool-input-end':
        return this.#ofCall(part)
      case 'tool-call':
        return this.#call(part)
      case 'tool-result':
      case 'tool-approval-request':
        return [{ ...part, toolCallId: cleanCallId(part.toolCallId) }]
      case 'raw':
        this.#repeated.chunk(part.rawValue)
        return this.#raw ? [part] : []
      default:
        this.#count(0)
        return [part]
    }
  }

  #ofCall<One extends Part & { readonly id: string }>(part: One): readonly Part[] {
    if (this.#dropped.has(part.id)) return []
    const id = cleanCallId(part.id)
    return [id === part.id ? part : { ...part, id }]
  }

  #call(part: Part & { readonly type: 'tool-call' }): readonly Part[] {
    const toolCallId = cleanCallId(part.toolCallId)
    if (this.#dropped.has(part.toolCallId) || this.#called.has(toolCallId)) return []
    this.#called.add(toolCallId)
    if (part.input.length > maxArgumentsLength) throw new ModelCallFailed('turn_too_large')
    return [toolCallId === part.toolCallId ? part : { ...part, toolCallId }]
  }

  #count(length: number): void {
    this.#length += length + partOverhead
    if (length > maxPartLength || this.#length > maxAnswerLength) throw new ModelCallFailed('turn_too_large')
  }

  #countArguments(id: string, length: number): void {
    const sum = (this.#argumentLengths.get(id) ?? 0) + length
    this.#argumentLengths.set(id, sum)
    if (sum > maxArgumentsLength) throw new ModelCallFailed('turn_too_large')
  }
}
