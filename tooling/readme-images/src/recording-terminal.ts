import { PassThrough, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { CommandIo } from '@sibyl/cli'
import xterm from '@xterm/headless'
import type { Frame, Row, Run } from './frame.ts'

/** A terminal for `run` of the command line, which types as a person does and records each change of its screen. */
export class RecordingTerminal {
  readonly io: CommandIo
  readonly #screen: InstanceType<typeof xterm.Terminal>
  readonly #stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  readonly #frames: Frame[] = []
  readonly #started = performance.now()
  #shown = ''
  #seen = 0
  #waiting: (() => void) | undefined

  constructor(columns: number, rows: number, env: Record<string, string>, cwd: string) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true })
    this.io = {
      stdin: this.#stdin,
      stdout: Object.assign(this.#writable(), { isTTY: true, columns }),
      stderr: Object.assign(this.#writable(), { isTTY: true, columns }),
      env: { TERM: 'xterm-256color', ...env },
      cwd,
      onInterrupt: () => () => {},
      onTermination: () => () => {},
      now: () => performance.now(),
      later: (milliseconds, work) => {
        const timer = setTimeout(work, milliseconds).unref()
        return () => clearTimeout(timer)
      },
    }
  }

  get frames(): readonly Frame[] {
    return this.#frames
  }

  /** Types text, a character at a time. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      await pause(30)
      this.#stdin.write(character)
    }
  }

  /** Shows text as the shell would, a character at a time. */
  async echo(text: string): Promise<void> {
    for (const character of text) {
      await pause(30)
      await this.#show(character)
    }
  }

  /** Waits until the text is shown, after what was shown at the last call. */
  async until(expected: string): Promise<void> {
    const limit = AbortSignal.timeout(30_000)
    for (;;) {
      const place = this.#shown.indexOf(expected, this.#seen)
      if (place >= 0) {
        this.#seen = place + expected.length
        return
      }
      limit.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        this.#waiting = resolve
        limit.addEventListener('abort', () =>
          reject(new Error(`'${expected}' is not shown, only:\n${this.#shown.slice(this.#seen)}`)),
        )
      })
    }
  }

  #writable(): Writable {
    return new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        this.#show(String(chunk)).then(() => done(), done)
      },
    })
  }

  async #show(text: string): Promise<void> {
    await new Promise<void>(resolve => this.#screen.write(text, resolve))
    this.#frames.push({ at: performance.now() - this.#started, rows: this.#rows() })
    this.#shown += stripVTControlCharacters(text).replaceAll('\r', '')
    this.#waiting?.()
  }

  #rows(): Row[] {
    const { active } = this.#screen.buffer
    if (active.baseY > 0) throw new Error('The session has more lines than the screen. Make the screen higher.')
    return Array.from({ length: this.#screen.rows }, (_, line) => {
      const cells = active.getLine(line)
      const runs: Run[] = []
      for (let column = 0; cells && column < this.#screen.cols; column += 1) {
        const cell = cells.getCell(column)
        if (!cell || cell.getWidth() === 0) continue
        const style = {
          ...(cell.isFgPalette() ? { color: cell.getFgColor() } : {}),
          ...(cell.isBold() ? { bold: true } : {}),
          ...(cell.isDim() ? { dim: true } : {}),
        }
        const last = runs.at(-1)
        const text = cell.getChars() || ' '
        if (last && last.color === style.color && last.bold === style.bold && last.dim === style.dim)
          runs[runs.length - 1] = { ...last, text: last.text + text }
        else runs.push({ text, ...style })
      }
      return runs.length === 1 && runs[0]?.text.trim() === '' ? [] : runs
    })
  }
}
