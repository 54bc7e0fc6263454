import { randomBytes } from 'node:crypto'

/** Limits of a ring. */
export interface LogRingOptions {
  /** @default 2_000 */
  readonly maxLines?: number
  /** The most characters of all lines. @default 1_000_000 */
  readonly maxLength?: number
}

/** Lines of a ring after a position. */
export interface LogPage {
  /** Each line as JSON, with its number. */
  readonly lines: readonly (readonly [number: number, line: string])[]
  /** The number of lines that were overwritten before they were read. */
  readonly missed: number
}

/**
 * The latest lines of the log, in bounded memory. Numbers start at 1 and belong to this ring alone. Without readers a
 * line costs its place in an array.
 */
export class LogRing {
  /** Names the ring: another process, or the next start, has another one. */
  readonly id = randomBytes(6).toString('hex')
  readonly #maxLines: number
  readonly #maxLength: number
  readonly #lines: string[] = []
  readonly #readers = new Set<() => void>()
  #length = 0
  #first = 1
  #next = 1

  constructor({ maxLines = 2_000, maxLength = 1_000_000 }: LogRingOptions = {}) {
    this.#maxLines = maxLines
    this.#maxLength = maxLength
  }

  /** The number of the latest line; 0 before the first one. */
  get last(): number {
    return this.#next - 1
  }

  /** Adds a line, which replaces the oldest ones. */
  write(line: string): void {
    if (line.length > this.#maxLength) return
    while (this.#next - this.#first >= this.#maxLines || this.#length + line.length > this.#maxLength) this.#drop()
    this.#lines[this.#next % this.#maxLines] = line
    this.#length += line.length
    this.#next += 1
    for (const wake of this.#readers) wake()
  }

  /** Returns lines after a number, at most `limit`. */
  read(after: number, limit: number): LogPage {
    const from = Math.max(after + 1, this.#first)
    const count = Math.max(0, Math.min(limit, this.#next - from))
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    return { lines: numbers.map(number => [number, this.#at(number)] as const), missed: from - after - 1 }
  }

  /** Resolves once there is a line after a number, or the signal aborts. */
  async next(after: number, signal: AbortSignal): Promise<void> {
    if (this.last > after || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.add(resolve)
    const leave = () => resolve()
    signal.addEventListener('abort', leave)
    await promise
    signal.removeEventListener('abort', leave)
    this.#readers.delete(resolve)
  }

  #at(number: number): string {
    return this.#lines[number % this.#maxLines]!
  }

  #drop(): void {
    this.#length -= this.#at(this.#first).length
    this.#lines[this.#first % this.#maxLines] = ''
    this.#first += 1
  }
}
