import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'
import type { CommandIo, OutputStream } from '../process/command-io.ts'

/** The end of a question: a text, Ctrl-D, or a cancellation by Ctrl-C. */
type Asked =
  | { readonly kind: 'text'; readonly text: string; readonly echoed: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'leave' }

/**
 * Asks for lines on a terminal. Input typed between questions is kept for the next one; lines that arrive together, as
 * in a paste, are one text.
 */
export class LinePrompt {
  readonly #io: CommandIo
  readonly #label: string
  readonly #onInterrupt: () => void
  readonly #keepsHistory: boolean
  readonly #gate: Gate
  readonly #texts: string[] = []
  #readline: Interface | undefined
  #lines: string[] = []
  #history: string[] = []
  #asking: ((asked: Asked) => void) | undefined
  #ended = false
  #warned = false

  /**
   * @param label Shown before the input.
   * @param onInterrupt Called at Ctrl-C.
   * @param keepsHistory Whether the arrow keys recall earlier input.
   */
  constructor(io: CommandIo, label: string, onInterrupt: () => void, keepsHistory = true) {
    this.#io = io
    this.#label = label
    this.#onInterrupt = onInterrupt
    this.#keepsHistory = keepsHistory
    this.#gate = new Gate(io.stdout)
    this.#readline = this.#open()
  }

  /**
   * Waits for the next text.
   *
   * @param label Shown before the input. @default that of the constructor
   */
  ask(label = this.#label): Promise<Asked> {
    const waiting = this.#texts.shift()
    if (waiting !== undefined) return Promise.resolve({ kind: 'text', text: waiting, echoed: false })
    if (this.#ended) return Promise.resolve({ kind: 'end' })
    return new Promise(resolve => {
      this.#asking = asked => {
        this.#asking = undefined
        this.#gate.open = false
        resolve(asked)
      }
      this.#gate.open = true
      this.#readline?.setPrompt(label)
      this.#readline?.prompt(true)
    })
  }

  /** Handles Ctrl-C while a question is open: the first shows a hint, the second exits. */
  interrupt(): void {
    if (!this.#asking) return
    if (this.#warned) {
      this.#io.stdout.write('\n')
      this.#asking({ kind: 'leave' })
      return
    }
    this.#warned = true
    this.#eraseLine()
    this.#io.stdout.write('(press Ctrl-C again to exit)\n')
    this.#readline?.prompt()
  }

  /** Cancels the open question and its input; it resolves with `leave`. */
  cancelQuestion(): void {
    if (!this.#asking) return
    this.#eraseLine()
    this.#asking({ kind: 'leave' })
  }

  /**
   * Prints above the open question; its input and the cursor stay unchanged.
   *
   * @param print Prints complete lines.
   * @returns false, without printing, if no question is open
   */
  interject(print: () => void): boolean {
    const readline = this.#readline
    // Received input that is not a text yet answers the question.
    if (!readline || !this.#asking || this.#lines.length > 0) return false
    moveCursor(this.#gate, 0, -readline.getCursorPos().rows)
    cursorTo(this.#gate, 0)
    clearScreenDown(this.#gate)
    // Drawn invisibly with the cursor in the first row, so that readline erases no row above it afterwards.
    const place: { cursor: number } = readline
    const { cursor } = place
    this.#gate.open = false
    place.cursor = 0
    readline.prompt(true)
    place.cursor = cursor
    print()
    this.#gate.open = true
    readline.prompt(true)
    return true
  }

  /** Discards input that was typed ahead. */
  forget(): void {
    this.#texts.length = 0
    this.#lines = []
  }

  /** Releases the terminal while another question runs. */
  async handOver<Result>(work: () => Promise<Result>): Promise<Result> {
    const unfinished = this.#readline?.line ?? ''
    this.#close()
    try {
      return await work()
    } finally {
      this.#readline = this.#open()
      this.#readline?.write(unfinished)
    }
  }

  /** Releases the terminal permanently. */
  close(): void {
    this.#close()
  }

  #eraseLine(): void {
    this.#readline?.write(null, { ctrl: true, name: 'e' })
    this.#readline?.write(null, { ctrl: true, name: 'u' })
    this.#io.stdout.write('\r\u001b[2K')
  }

  #open(): Interface {
    const readline = createInterface({
      input: this.#io.stdin,
      output: this.#gate,
      terminal: true,
      prompt: this.#label,
      history: this.#history,
      removeHistoryDuplicates: true,
      ...(this.#keepsHistory ? {} : { historySize: 0 }),
    })
    readline.on('line', line => this.#receive(line))
    readline.on('SIGINT', () => this.#onInterrupt())
    readline.on('history', history => {
      this.#history = [...history]
    })
    readline.on('close', () => {
      if (readline === this.#readline) this.#end()
    })
    // A closed terminal cannot be reset.
    readline.on('error', () => this.#end())
    return readline
  }

  #end(): void {
    this.#ended = true
    if (!this.#asking) return
    this.#io.stdout.write('\n')
    this.#asking({ kind: 'end' })
  }

  #close(): void {
    const readline = this.#readline
    this.#readline = undefined
    readline?.close()
  }

  #receive(line: string): void {
    this.#lines.push(line)
    this.#warned = false
    if (this.#lines.length === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    if (this.#lines.length === 0) return
    const text = this.#lines.join('\n')
    this.#lines = []
    if (this.#asking) this.#asking({ kind: 'text', text, echoed: true })
    else if (text.trim() !== '') this.#texts.push(text)
  }
}

/** Forwards the echo of readline only while a question is open. */
class Gate extends Writable {
  open = false
  readonly isTTY = true
  readonly #stream: OutputStream

  constructor(stream: OutputStream) {
    super()
    this.#stream = stream
    stream.on('resize', () => this.emit('resize'))
  }

  get columns(): number | undefined {
    return this.#stream.columns
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.open) this.#stream.write(chunk)
    done()
  }
}
