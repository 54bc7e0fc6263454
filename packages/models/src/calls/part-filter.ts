import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { parseJson } from '@sibyl/protocol'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { cleanCallId, newCallId, TextCleaner } from './clean-text.ts'
import { maxAnswerLength, maxArgumentsLength, maxPartLength } from './model-call-limits.ts'
import { RepeatedCalls } from './repeated-calls.ts'

type Part = LanguageModelV4StreamPart

/** The size of a part besides its text, so that endless empty parts also reach the limit. */
const partOverhead = 64

/**
 * Passes the parts of one answer on as the rest of the oracle may rely on them: texts that every database takes, sizes
 * within limits, each tool call once by its id, name and arguments, and nothing after the end. Calls that share an id and nothing
 * more have different ids from here on.
 */
export class PartFilter {
  readonly #texts = new TextCleaner()
  readonly #repeated = new RepeatedCalls()
  /** The calls whose input is not passed on while it comes, by the ids of their parts: they may repeat the call of that id. */
  readonly #suspects = new Map<string, string>()
  readonly #begun = new Set<string>()
  readonly #called = new Set<string>()
  /** The calls so far by the provider's id, name and arguments. */
  readonly #known = new Set<string>()
  readonly #argumentLengths = new Map<string, number>()
  readonly #pass: (part: Part) => void
  readonly #raw: boolean
  #length = 0

  /**
   * @param pass Takes each part that is passed on.
   * @param raw Whether chunks as they came are passed on.
   */
  constructor(pass: (part: Part) => void, raw: boolean) {
    this.#pass = pass
    this.#raw = raw
  }

  /**
   * Passes a part on, cleaned, or drops it.
   *
   * @throws ModelCallFailed `turn_too_large`
   */
  take(part: Part): void {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        this.#count(part.delta.length)
        const delta = this.#texts.piece(part.id, part.delta)
        this.#pass(delta === part.delta ? part : { ...part, delta })
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        const delta = this.#texts.rest(part.id)
        const type = part.type === 'text-end' ? 'text-delta' : 'reasoning-delta'
        if (delta !== '') this.#pass({ type, id: part.id, delta })
        this.#pass(part)
        break
      }
      case 'tool-input-start':
        this.#begin(part.id)
        this.#ofCall(part)
        break
      case 'tool-input-delta':
        this.#count(part.delta.length)
        this.#countArguments(part.id, part.delta.length)
        this.#ofCall(part)
        break
      case 'tool-input-end':
        this.#ofCall(part)
        break
      case 'tool-call':
        this.#call(part)
        break
      case 'tool-result':
      case 'tool-approval-request':
        this.#pass({ ...part, toolCallId: cleanCallId(part.toolCallId) })
        break
      case 'raw':
        this.#repeated.chunk(part.rawValue)
        if (this.#raw) this.#pass(part)
        break
      default:
        this.#count(0)
        this.#pass(part)
    }
  }

  #begin(id: string): void {
    const given = this.#repeated.idOf(id) ?? (this.#begun.has(id) ? id : undefined)
    if (given !== undefined) this.#suspects.set(id, given)
    this.#begun.add(id)
  }

  #ofCall(part: Part & { readonly id: string }): void {
    if (this.#suspects.has(part.id)) return
    const id = cleanCallId(part.id)
    this.#pass(id === part.id ? part : { ...part, id })
  }

  #call(part: Part & { readonly type: 'tool-call' }): void {
    const { input } = part
    if (input.length > maxArgumentsLength) throw new ModelCallFailed('turn_too_large')
    const fact = JSON.stringify([
      this.#suspects.get(part.toolCallId) ?? part.toolCallId,
      part.toolName,
      comparable(input),
    ])
    if (this.#known.has(fact)) return
    this.#known.add(fact)
    this.#begun.add(part.toolCallId)
    const id = cleanCallId(part.toolCallId)
    const toolCallId = this.#called.has(id) ? newCallId() : id
    this.#called.add(toolCallId)
    this.#pass(toolCallId === part.toolCallId ? part : { ...part, toolCallId })
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

/** Longer arguments are compared as they came. */
const maxCompared = 10_000

/** Returns arguments as JSON without white space that does not count; other text stays. */
const comparable = (input: string): string => {
  if (input.length > maxCompared) return input
  const parsed = parseJson(input.trim() === '' ? '{}' : input)
  return parsed === undefined ? input : JSON.stringify(parsed)
}
