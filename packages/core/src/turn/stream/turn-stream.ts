import { type StreamTarget, type TextSink, textStream } from '@sibyl/plugin/host'

/** One event of the chat stream before it is encoded. */
export interface StreamEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** A final event that is not stored with the others. */
export interface UnstoredEnd {
  /** Above that of any event in its place, so that no number ever stands for two events. */
  readonly number: number
  readonly event: StreamEvent
}

/** The most bytes that the events of one turn may take: they are fewer than a million by far. */
export const maxTurnBytes = 8_000_000

/**
 * The events of one running turn, shared by all its readers: a reader is a position in it, so that a slow one costs
 * nothing. Numbers start at 1; event `n` is sent as `id: <turnId>:<n>`.
 */
export class TurnStream {
  readonly turnId: string
  /** The events as JSON, in order. */
  readonly events: string[] = []
  /** Where numbers begin again: the index and the number of the first event. */
  readonly #runs: { readonly index: number; readonly number: number }[]
  #bytes = 0
  #ended = false
  #abandoned = false
  #endNumber: number | undefined
  #notifying = false
  /** The last events as they were given, from this index on: those of one turn of the event loop, until their readers had it. */
  #latest: { readonly from: number; readonly events: StreamEvent[] } = noEvents
  readonly #listeners = new Set<() => void>()

  /** @param firstNumber The number of the first event. */
  constructor(turnId: string, firstNumber = 1) {
    this.turnId = turnId
    this.#runs = [{ index: 0, number: firstNumber }]
  }

  /** Whether the last event is in. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether it ended here without a last event, since another process continues the turn. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  /** The number of the next event. */
  get nextNumber(): number {
    return this.#numberAt(this.events.length)
  }

  /** The number of the last event, where that event is not stored with the others. */
  get endNumber(): number | undefined {
    return this.#endNumber
  }

  /** The bytes of all events so far. */
  get bytes(): number {
    return this.#bytes
  }

  get readers(): number {
    return this.#listeners.size
  }

  /** Adds an event. Readers hear of all events of one turn of the event loop at once. */
  append(event: StreamEvent): void {
    const json = JSON.stringify(event)
    this.#bytes += json.length
    if (this.#notifying) this.#latest.events.push(event)
    else this.#latest = { from: this.events.length, events: [event] }
    this.events.push(json)
    this.#notify()
  }

  /** Returns the event at an index, for its reader alone. A latest event that has texts alone is copied, others are parsed. */
  eventAt(index: number): StreamEvent {
    const latest = this.#latest.events[index - this.#latest.from]
    return latest && hasTextsAlone(latest) ? { ...latest } : (JSON.parse(this.events[index]!) as StreamEvent)
  }

  /** Adds the last event. */
  end(event: StreamEvent): void {
    this.append(event)
    this.#ended = true
  }

  /** Adds a last event that is not stored with the others. */
  endUnstored({ number, event }: UnstoredEnd): void {
    this.#endNumber = this.#runs.at(-1)!.number - 1 + number
    this.end(event)
  }

  /** Ends it without a last event: its readers come back, and find the turn in another process. */
  abandon(): void {
    this.#abandoned = true
    this.#ended = true
    this.#notify()
  }

  /**
   * Drops the events after one, and uses other numbers: another process continues the turn from there.
   *
   * @param after The number of the last event that stays; 0 for none.
   * @param number That of the next event.
   */
  resume(after: number, number: number): void {
    const index = Math.min(this.indexAfter(after), this.events.length)
    this.#bytes -= this.events.splice(index).reduce((sum, json) => sum + json.length, 0)
    this.#latest = { from: index, events: [] }
    this.#runs.push({ index, number })
  }

  /** The number of the event at an index. */
  numberOf(index: number): number {
    const { length } = this.events
    return index === length - 1 && this.#endNumber !== undefined ? this.#endNumber : this.#numberAt(index)
  }

  #numberAt(index: number): number {
    const run = this.#runs.findLast(one => one.index <= index)!
    return run.number + index - run.index
  }

  /** Returns the index of the event after the one with a number; past the end if it does not exist. */
  indexAfter(number: number): number {
    const place = this.#runs.findLastIndex(one => one.number <= number)
    const run = this.#runs[place]
    // A reader may have events that were dropped.
    const next = this.#runs[place + 1]?.index ?? Number.POSITIVE_INFINITY
    const index = run ? Math.min(run.index + number + 1 - run.number, next) : 0
    if (this.#endNumber === undefined) return index
    const { length } = this.events
    return number < this.#endNumber ? Math.min(index, length - 1) : length
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
      setImmediate(() => {
        if (!this.#notifying) this.#latest = noEvents
      })
    })
  }
}

const noEvents = { from: 0, events: [] } as { readonly from: number; readonly events: StreamEvent[] }

const hasTextsAlone = (event: StreamEvent): boolean => Object.values(event).every(value => typeof value === 'string')

/** Encodes one event as a server-sent event. */
const encodeEvent = (turnId: string, number: number, json: string | undefined): string =>
  `id: ${turnId}:${number}\ndata: ${json}\n\n`

/** The last frame of every stream. */
const doneFrame = 'data: [DONE]\n\n'

/** Reads `<turnId>:<n>` as a client sends it in `Last-Event-ID`. */
export const parseEventId = (value: string): { readonly turnId: string; readonly after: number } | undefined => {
  const match = /^([\w-]{1,64}):(\d{1,9})$/.exec(value)
  return match ? { turnId: match[1]!, after: Number(match[2]) } : undefined
}

/** The longest piece of text, in characters; up to three bytes each. */
const pieceLength = 32_768

/** A reader's place in a turn's log: gives what is there as server-sent events, in pieces, without a copy of its own. */
class TurnCursor {
  readonly #log: TurnStream
  /** The number of the last event that was given. */
  #after: number
  /** The part of the next event that was given already, in characters. */
  #offset = 0

  /** @param after The number of the last event that was read before. */
  constructor(log: TurnStream, after: number) {
    this.#log = log
    this.#after = after
  }

  /** Whether all events so far were given. */
  get atEnd(): boolean {
    return this.#log.indexAfter(this.#after) >= this.#log.events.length
  }

  /** The next piece; empty when there is nothing new. */
  next(): string {
    const { turnId, events } = this.#log
    let text = ''
    for (let index = this.#log.indexAfter(this.#after); index < events.length && text.length < pieceLength; ) {
      const json = events[index]!
      const number = this.#log.numberOf(index)
      const end = this.#offset + pieceLength - text.length
      if (this.#offset === 0 && json.length <= end) text += encodeEvent(turnId, number, json)
      else text += this.#part(number, json, Math.max(end, this.#offset + 2))
      if (this.#offset > 0) continue
      this.#after = number
      index += 1
    }
    return text
  }

  /** A part of an event that is longer than a piece. */
  #part(number: number, json: string, end: number): string {
    const begin = this.#offset === 0 ? `id: ${this.#log.turnId}:${number}\ndata: ` : ''
    // Half of a surrogate pair cannot be encoded as UTF-8.
    const cut = isHighSurrogate(json.charCodeAt(end - 1)) ? end - 1 : end
    const part = begin + json.slice(this.#offset, cut)
    this.#offset = cut < json.length ? cut : 0
    return this.#offset === 0 ? `${part}\n\n` : part
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** The headers of every chat stream. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
}

/** The interval of pings on an idle stream, in milliseconds. */
export const pingIntervalMs = 15_000

const pingFrame = ': ping\n\n'

/**
 * Streams a turn, one write for the events at hand.
 *
 * @param after The number of the last event that the client has read; 0 for none.
 */
export const turnResponse = (log: TurnStream, after: number, target: StreamTarget = {}): Response =>
  textStream(target, streamHeaders, sink => follow(log, after, sink))

/**
 * Copies a turn's events to a sink, piece by piece as it takes them, and ends it after the last: a slow reader holds one
 * piece, and the events are shared. A reader who has more
 * events than were stored before a crash gets the end alone.
 */
const follow = (log: TurnStream, after: number, sink: TextSink): void => {
  const cursor = new TurnCursor(log, after)
  let blocked = false
  let closed = false
  const ping = setInterval(() => {
    if (!blocked) blocked = !sink.write(pingFrame)
  }, pingIntervalMs)
  const finish = () => {
    closed = true
    clearInterval(ping)
    stopListening()
  }
  const pump = () => {
    while (!blocked && !closed) {
      const text = cursor.next()
      if (log.ended && cursor.atEnd) {
        finish()
        sink.end(log.abandoned ? text : text + doneFrame)
      } else if (text === '') return
      else blocked = !sink.write(text)
    }
  }
  const stopListening = log.listen(pump)
  sink.onReady(() => {
    blocked = false
    pump()
  })
  sink.onClose(finish)
  pump()
}
