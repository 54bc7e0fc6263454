import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { CommandIo, OutputStream } from '../../process/command-io.ts'

/** A terminal without a terminal: what is typed goes in as bytes, what is shown is kept as text. */
export class FakeTerminal {
  readonly stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  readonly #stdout = new PassThrough()
  readonly #stderr = new PassThrough()
  readonly #interrupts = new Set<() => void>()
  readonly #waiting = new Set<{ readonly milliseconds: number; readonly work: () => void }>()
  readonly io: CommandIo
  #shown = ''
  #errors = ''
  #seen = 0

  /**
   * @param isTTY Whether it claims to be a terminal.
   * @param cwd The folder that the command is called in. @default one that is in no project
   */
  constructor(env: Record<string, string>, isTTY = true, columns = 80, cwd = tmpdir()) {
    this.stdin.isTTY = isTTY
    this.#stdout.setEncoding('utf8').on('data', text => {
      this.#shown += text
    })
    this.#stderr.setEncoding('utf8').on('data', text => {
      this.#errors += text
    })
    const terminal = isTTY ? { isTTY, columns } : {}
    this.io = {
      stdin: this.stdin,
      stdout: Object.assign(this.#stdout, terminal) as OutputStream,
      stderr: this.#stderr,
      env: { NO_COLOR: '1', ...env },
      cwd,
      onInterrupt: listener => {
        this.#interrupts.add(listener)
        return () => this.#interrupts.delete(listener)
      },
      onTermination: () => () => {},
      now: () => performance.now(),
      later: (milliseconds, work) => {
        const waiting = { milliseconds, work }
        this.#waiting.add(waiting)
        return () => this.#waiting.delete(waiting)
      },
    }
  }

  /** All that was written, escape sequences included. */
  get raw(): string {
    return this.#shown
  }

  /** What was written, without escape sequences and carriage returns. */
  get text(): string {
    return stripVTControlCharacters(this.#shown).replaceAll('\r', '')
  }

  get errors(): string {
    return this.#errors
  }

  /** How long what is to happen later waits, in milliseconds. */
  get waits(): readonly number[] {
    return [...this.#waiting].map(({ milliseconds }) => milliseconds)
  }

  /** Lets what waits happen now. */
  elapse(): void {
    const due = [...this.#waiting]
    this.#waiting.clear()
    for (const { work } of due) work()
  }

  type(bytes: string): void {
    this.stdin.write(bytes)
  }

  /** The signal, as `kill -INT` sends it. */
  interrupt(): void {
    for (const listener of this.#interrupts) listener()
  }

  /** Waits until something is shown after what was shown at the last call; after a minute it fails with what was shown. */
  async until(expected: string): Promise<void> {
    const signal = AbortSignal.timeout(60_000)
    for (;;) {
      const place = this.text.indexOf(expected, this.#seen)
      if (place >= 0) {
        this.#seen = place + expected.length
        return
      }
      await once(this.#stdout, 'data', { signal }).catch(() => {
        throw new Error(
          `Nothing shows ${JSON.stringify(expected)}, only:\n${this.text.slice(this.#seen)}\n${this.#errors}`,
        )
      })
    }
  }
}
