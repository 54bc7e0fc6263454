import { isObject, parseJson } from '@sibyl/protocol'
import { errorChunk, errorIn } from './answered-error.ts'
import { joined, readFinish, readMessage, readUsage, withSplitText } from './chat-message.ts'
import { endOf } from './completion.ts'
import { createThinkSplitter } from './think-tags.ts'

const newline = 10

/** A chunk with a text alone, as most servers write it: it passes as it came. */
const plain =
  /^data: ?\{[^{}]*"choices":\[\{"index":0,"delta":\{"content":"[^"\\]*(?:\\.[^"\\]*)*"\}(?:,"logprobs":null)?,"finish_reason":null\}\](?:,"usage":null)?\}\r?$/

/**
 * Repairs a stream of chat completion chunks:
 *
 * - Members have the types that the API defines; chunks without choices and usage are skipped.
 * - Text in `<think>` becomes reasoning.
 * - An empty `finish_reason` does not end the answer; `[DONE]` ends one without it.
 * - An error in a chunk is the error of the call, with its status.
 * - After `finish_reason`, all but chunks is skipped, also a connection that breaks off.
 */
export const repairEvents = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  const repair = new EventRepair()
  let rest: Uint8Array[] = []
  const repaired = (lines: Buffer): Uint8Array<ArrayBuffer> =>
    Buffer.from(
      lines
        .toString('utf8')
        .split('\n')
        .flatMap(line => repair.line(line))
        .join('\n'),
    )
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read().catch(error => {
          if (repair.isFinished) return { done: true, value: undefined } as const
          throw error
        })
        if (done) {
          const last = Buffer.concat(rest)
          if (last.length > 0) controller.enqueue(repaired(last))
          return controller.close()
        }
        const end = value.lastIndexOf(newline) + 1
        rest.push(value.subarray(0, end || undefined))
        if (end === 0) continue
        const lines = Buffer.concat(rest)
        rest = [value.subarray(end)]
        return controller.enqueue(repaired(lines))
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

/** Repairs the lines of one stream. */
class EventRepair {
  readonly #splitter = createThinkSplitter()
  #event: string | undefined
  #hasText = false
  #hasCalls = false
  #isFinished = false

  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Returns the lines to read instead of one. */
  line(line: string): readonly string[] {
    if (this.#splitter.isOver && !this.#isFinished && plain.test(line)) {
      this.#hasText = true
      return [line]
    }
    if (line.startsWith('event:')) this.#event = line.slice('event:'.length).trim()
    if (!line.startsWith('data:')) return [line]
    const event = this.#event
    this.#event = undefined
    const data = line.slice('data:'.length).trim()
    if (data === '[DONE]') return this.#done(line)
    const chunk = parseJson(data)
    if (chunk === undefined) return this.#isFinished ? [] : [line]
    const error = this.#isFinished ? undefined : errorIn(chunk, event)
    if (error !== undefined) return [`data: ${JSON.stringify(errorChunk(error))}`]
    const read = this.#chunk(chunk)
    return read === undefined ? [] : [`data: ${JSON.stringify(read)}`]
  }

  #done(line: string): readonly string[] {
    if (this.#isFinished || (!this.#hasText && !this.#hasCalls)) return [line]
    return [`data: ${JSON.stringify({ choices: [this.#choice({ finish_reason: endOf(this.#hasCalls) })] })}`, '', line]
  }

  #chunk(chunk: unknown): object | undefined {
    if (!isObject(chunk)) return undefined
    const { id, created, model, choices, usage } = chunk
    const read = Array.isArray(choices) ? choices.filter(isObject).map(choice => this.#choice(choice)) : []
    const counts = readUsage(usage)
    if (read.length === 0 && counts === undefined) return undefined
    return {
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof created === 'number' ? { created } : {}),
      ...(typeof model === 'string' ? { model } : {}),
      choices: read,
      ...(counts === undefined ? {} : { usage: counts }),
    }
  }

  #choice({ delta, message, finish_reason }: Readonly<Record<string, unknown>>): object {
    const piece = readMessage(delta ?? message)
    const { content, tool_calls } = piece
    this.#hasCalls ||= tool_calls !== undefined
    this.#hasText ||= content !== undefined && content !== ''
    const reason = readFinish(finish_reason, this.#hasCalls)
    this.#isFinished ||= reason !== undefined
    return { index: 0, delta: this.#split(piece, reason !== undefined), finish_reason: reason ?? null }
  }

  /** Splits the text of a piece into reasoning and content, as long as it may still be reasoning. */
  #split(piece: ReturnType<typeof readMessage>, isLast: boolean): object {
    const { content } = piece
    if (this.#splitter.isOver || (typeof content !== 'string' && !isLast)) return piece
    const taken = typeof content === 'string' ? this.#splitter.take(content) : {}
    return withSplitText(piece, isLast ? joined(taken, this.#splitter.end()) : taken)
  }
}
