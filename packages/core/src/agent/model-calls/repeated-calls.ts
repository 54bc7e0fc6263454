import { propertyOf } from './error-causes.ts'

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
    const choices = propertyOf(raw, 'choices')
    const calls = propertyOf(propertyOf(Array.isArray(choices) ? choices[0] : undefined, 'delta'), 'tool_calls')
    if (!Array.isArray(calls)) return
    for (const call of calls) {
      const place = propertyOf(call, 'index')
      const said = propertyOf(call, 'id')
      const id = typeof said === 'string' ? said : this.#ids.get(place)
      if (id === undefined) continue
      if (this.#places.has(id)) this.#repeats ||= typeof said === 'string' || this.#places.get(id) !== place
      else this.#places.set(id, place)
      if (!this.#ids.has(place)) this.#ids.set(place, id)
    }
  }

  /** Whether a call that begins in the current chunk repeats the id of another: the SDK made its id up. */
  begins(id: string): boolean {
    return this.#repeats && !this.#places.has(id)
  }
}
