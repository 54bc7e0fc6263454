import { encodeEvent, type TurnLog } from './turn-log.ts'

/** The longest piece of text, in characters; up to three bytes each. */
const pieceLength = 32_768

/** A reader's place in a turn's log: gives what is there as server-sent events, in pieces, without a copy of its own. */
export class TurnCursor {
  readonly #log: TurnLog
  /** The number of the last event that was given. */
  #after: number
  /** How much of the next one was given already. */
  #offset = 0

  /** @param after The number of the last event that was read before. */
  constructor(log: TurnLog, after: number) {
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
    // Half of a surrogate pair would not survive its way through UTF-8.
    const cut = isHighSurrogate(json.charCodeAt(end - 1)) ? end - 1 : end
    const part = begin + json.slice(this.#offset, cut)
    this.#offset = cut < json.length ? cut : 0
    return this.#offset === 0 ? `${part}\n\n` : part
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
