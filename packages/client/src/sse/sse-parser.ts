import { ResponseTooLargeError } from '../errors/response-too-large-error.ts'

/** One server-sent event: its own `id` line, and its `data` lines joined by line feeds. */
export interface SseEvent {
  readonly id: string | undefined
  readonly data: string
}

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from text that may be cut anywhere. Comments and fields other than
 * `id` and `data` are skipped; unlike a browser's EventSource it does not carry an id over to later events.
 */
export class SseParser {
  readonly #limit: number
  #line = ''
  #data: string[] = []
  #dataLength = 0
  #id: string | undefined
  #skipLineFeed = false
  #atStart = true

  /** @param limit The most characters of one event. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Takes the next piece of the stream.
   *
   * @returns the events that it completed
   * @throws ResponseTooLargeError (`response_too_large`) when an event outgrows the limit
   */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = []
    if (text === '') return events
    let start = 0
    if (this.#atStart && text.startsWith('\uFEFF')) start = 1
    this.#atStart = false
    if (this.#skipLineFeed && text[start] === '\n') start += 1
    this.#skipLineFeed = text.endsWith('\r')

    const lineEnd = /\r\n|\n|\r/g
    lineEnd.lastIndex = start
    for (let match = lineEnd.exec(text); match; match = lineEnd.exec(text)) {
      const line = this.#line + text.slice(start, match.index)
      start = lineEnd.lastIndex
      this.#line = ''
      const event = this.#take(line)
      if (event) events.push(event)
    }
    this.#line += text.slice(start)
    this.#checkLength(this.#line.length)
    return events
  }

  #take(line: string): SseEvent | undefined {
    if (line === '') return this.#finish()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'id') this.#id = value
    if (field === 'data') {
      this.#checkLength(value.length)
      this.#data.push(value)
      this.#dataLength += value.length + 1
    }
    return undefined
  }

  #finish(): SseEvent | undefined {
    const event = this.#data.length === 0 ? undefined : { id: this.#id, data: this.#data.join('\n') }
    this.#data = []
    this.#dataLength = 0
    this.#id = undefined
    return event
  }

  #checkLength(more: number): void {
    if (this.#dataLength + more > this.#limit) throw new ResponseTooLargeError('An event of the stream', this.#limit)
  }
}
