/** The tool calls of a chunk; nothing is validated. */
interface RawChunk {
  readonly choices?: unknown
}
interface RawCall {
  readonly index?: unknown
  readonly id?: unknown
}

/**
 * Finds tool calls that a stream of chat completions brings under an id it has used before. The SDK gives such a call
 * an id of its own; which id the provider gave shows in the chunks as they came alone.
 */
export class RepeatedCalls {
  /** The place at which an id was first used. */
  readonly #places = new Map<string, unknown>()
  /** The id that a place was first given. */
  readonly #ids = new Map<unknown, string>()
  #repeated: string | undefined

  /** Takes the next chunk, before the parts that are made of it. */
  chunk(raw: unknown): void {
    this.#repeated = undefined
    const { choices } = (raw ?? {}) as RawChunk
    const calls = Array.isArray(choices) ? choices[0]?.delta?.tool_calls : undefined
    if (!Array.isArray(calls)) return
    for (const call of calls) {
      const { index: place, id: content } = (call ?? {}) as RawCall
      const id = typeof content === 'string' ? content : this.#ids.get(place)
      if (id === undefined) continue
      if (!this.#places.has(id)) this.#places.set(id, place)
      else if (typeof content === 'string' || this.#places.get(id) !== place) this.#repeated ??= id
      if (!this.#ids.has(place)) this.#ids.set(place, id)
    }
  }

  /** Returns the id that the provider gave to a call which begins in the current chunk, if another call has it. */
  idOf(id: string): string | undefined {
    return this.#places.has(id) ? undefined : this.#repeated
  }
}
