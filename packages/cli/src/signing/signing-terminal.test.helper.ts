import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import type { CommandIo, OutputStream } from '../process/command-io.ts'

/** A terminal whose standard error, where signing is shown, can be read and waited for. */
export class SigningTerminal {
  readonly terminal: FakeTerminal
  readonly io: CommandIo
  readonly #stderr = new PassThrough()
  #shown = ''

  constructor(env: Record<string, string>, columns = 80, isTTY = true) {
    this.terminal = new FakeTerminal(env, isTTY, columns)
    this.#stderr.setEncoding('utf8').on('data', text => {
      this.#shown += text
    })
    const stderr = Object.assign(this.#stderr, isTTY ? { isTTY, columns } : {}) as OutputStream
    this.io = { ...this.terminal.io, stderr }
  }

  /** What was shown, without escape sequences. */
  get text(): string {
    return stripVTControlCharacters(this.#shown).replaceAll('\r', '\n')
  }

  /** Waits until something is shown, and gives where it stands; after 60 s it fails with what was shown. */
  async until(expected: RegExp): Promise<RegExpMatchArray> {
    const signal = AbortSignal.timeout(60_000)
    for (;;) {
      const found = this.text.match(expected)
      if (found) return found
      await once(this.#stderr, 'data', { signal }).catch(() => {
        throw new Error(`Nothing shows ${expected}, only:\n${this.text}`)
      })
    }
  }

  /** The link, once it is shown. */
  async link(): Promise<URL> {
    return new URL((await this.until(/^https?:\/\/\S+#[\w-]{22}$/m))[0])
  }
}
