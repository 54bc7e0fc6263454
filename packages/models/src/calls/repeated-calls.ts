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
 * an id of its own and would run both; which is which shows in the chunks as they came alone.
 */
export class RepeatedCalls {
  /** The place at which an id was first used. */
  readonly #places = new Map<string, unknown>()
  /** The id that a place was first given. */
  readonly #ids = new Map<unknown, string>()
  #repeats = false

  /** Takes the next chunk, before the parts that are made of it. */
  chunk(raw: unknown): void {
    this.#repeats = false
    const { choices } = (raw ?? {}) as RawChunk
    const calls = Array.isArray(choices) ? choices[0]?.delta?.tool_calls : undefined
    if (!Array.isArray(calls)) return
    for (const call of calls) {
      const { index: place, id: content } = (call ?? {}) as RawCall
      const id = typeof content === 'string' ? content : this.#ids.get(place)
      if (id === undefined) continue
      if (this.#places.has(id)) this.#repeats ||= typeof content === 'string' || this.#places.get(id) !== place
      else this.#places.set(id, place)
      if (!this.#ids.has(place)) this.#ids.set(place, id)
    }
  }

  /** Whether a call that begins in the current chunk repeats the id of another: the SDK made its id up. */
  begins(id: string): boolean {
    return this.#repeats && !this.#places.has(id)
  }
}
