import type { OutputStream } from '../process/command-io.ts'

/** Writes to a terminal or a file, with at most one transient line at the end, which the next output replaces. */
export class Screen {
  readonly #stream: OutputStream
  readonly #isTerminal: boolean
  #atLineStart = true
  #passing = false

  constructor(stream: OutputStream, isTerminal: boolean) {
    this.#stream = stream
    this.#isTerminal = isTerminal
  }

  /** The columns of the terminal; infinite elsewhere. */
  get columns(): number {
    return this.#isTerminal ? (this.#stream.columns ?? 80) : Number.POSITIVE_INFINITY
  }

  write(text: string): void {
    if (text === '') return
    this.#clearPassing()
    this.#stream.write(text)
    this.#atLineStart = text.endsWith('\n')
  }

  line(text = ''): void {
    this.endLine()
    this.write(`${text}\n`)
  }

  /** Ends the current line, if any. */
  endLine(): void {
    this.#clearPassing()
    if (!this.#atLineStart) this.write('\n')
  }

  /** Shows a transient line; on a terminal only. */
  pass(text: string): void {
    if (!this.#isTerminal) return
    this.endLine()
    this.#stream.write(text)
    this.#passing = true
  }

  #clearPassing(): void {
    if (!this.#passing) return
    this.#passing = false
    this.#stream.write('\r\u001b[2K')
  }
}
