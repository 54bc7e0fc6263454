interface Ask<Key, Value> {
  readonly key: Key
  readonly answer: PromiseWithResolvers<Value | undefined>
}

/**
 * Looks many things up at once: what is asked for in one turn of the event loop goes into one query,
 * which begins after all of it was asked for and so sees whatever was written before.
 *
 * @example
 * const languages = new TickBatch<string, string>(async hashes => new Map(await select(hashes)))
 * await Promise.all([languages.ask(one), languages.ask(other)]) // one query
 */
export class TickBatch<Key, Value> {
  readonly #load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  #asks: Ask<Key, Value>[] = []

  /** @param load Finds what there is of different keys. */
  constructor(load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#load = load
  }

  /** Returns the value of a key, if any. Rejects like `load`. */
  ask(key: Key): Promise<Value | undefined> {
    const answer = Promise.withResolvers<Value | undefined>()
    this.#asks.push({ key, answer })
    if (this.#asks.length === 1) setImmediate(() => void this.#answer())
    return answer.promise
  }

  async #answer(): Promise<void> {
    const asks = this.#asks
    this.#asks = []
    try {
      const found = await this.#load([...new Set(asks.map(({ key }) => key))])
      for (const { key, answer } of asks) answer.resolve(found.get(key))
    } catch (error) {
      for (const { answer } of asks) answer.reject(error)
    }
  }
}
