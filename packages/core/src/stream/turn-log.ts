/** One event of the chat stream before it is encoded. */
export interface StreamEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** The most bytes that the events of one turn may take. */
export const maxTurnBytes = 8_000_000

/**
 * The events of one running turn, shared by everybody who reads it: a reader is a position in it, so a slow one costs
 * nothing. Numbers start at 1; event `n` travels as `id: <turnId>:<n>`.
 */
export class TurnLog {
  readonly turnId: string
  /** The events as JSON, in order. */
  readonly events: string[] = []
  #bytes = 0
  #ended = false
  #cutOff = false
  #notifying = false
  readonly #listeners = new Set<() => void>()

  constructor(turnId: string) {
    this.turnId = turnId
  }

  /** Whether the last event is in. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether its process died: readers may have seen events that were never stored. */
  get cutOff(): boolean {
    return this.#cutOff
  }

  /** The bytes of all events so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many read along now. */
  get readers(): number {
    return this.#listeners.size
  }

  /** Adds an event. Readers hear of all events of one turn of the event loop at once. */
  append(event: StreamEvent): void {
    const json = JSON.stringify(event)
    this.#bytes += json.length
    this.events.push(json)
    this.#notify()
  }

  /** Adds the last event. */
  end(event: StreamEvent): void {
    this.append(event)
    this.#ended = true
  }

  /** Ends the log of a turn whose process died. */
  endCutOff(event: StreamEvent): void {
    this.#cutOff = true
    this.end(event)
  }

  /** Calls back when there is more to read, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    if (this.#notifying) return
    this.#notifying = true
    setImmediate(() => {
      this.#notifying = false
      for (const listener of [...this.#listeners]) listener()
    })
  }
}

/** Encodes one event as a server-sent event. */
export const encodeEvent = (turnId: string, number: number, json: string | undefined): string =>
  `id: ${turnId}:${number}\ndata: ${json}\n\n`

/** What closes every stream. */
export const doneFrame = 'data: [DONE]\n\n'

/** Reads `<turnId>:<n>` as a client sends it in `Last-Event-ID`. */
export const parseEventId = (value: string): { readonly turnId: string; readonly after: number } | undefined => {
  const match = /^([\w-]{1,64}):(\d{1,9})$/.exec(value)
  return match ? { turnId: match[1]!, after: Number(match[2]) } : undefined
}
