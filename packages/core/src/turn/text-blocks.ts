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
