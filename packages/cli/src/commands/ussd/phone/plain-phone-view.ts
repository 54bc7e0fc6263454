import { cleanLine } from '../../../output/clean-text.ts'
import type { OutputStream } from '../../../process/command-io.ts'
import type { GatewayReply } from './ask-gateway.ts'
import type { PhoneView } from './phone-view.ts'
import { formatMeasure, measureScreen, screenLines } from './screen-frame.ts'

/** Shows a phone in a file or a pipe: what was typed, the screens as they are, remarks on standard error. */
export class PlainPhoneView implements PhoneView {
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream
  #shown = 0

  constructor(stdout: OutputStream, stderr: OutputStream) {
    this.#stdout = stdout
    this.#stderr = stderr
  }

  sending(typed: string): void {
    this.#stdout.write(`${this.#shown > 0 ? '\n' : ''}▸ ${cleanLine(typed)}\n`)
    this.#shown += 1
  }

  settle(): void {}

  screen({ text, kind }: GatewayReply): void {
    const lines = screenLines(text, Number.POSITIVE_INFINITY)
    const end = kind === 'end' ? ', the session has ended' : ''
    this.#stdout.write(`${lines.join('\n')}\n— ${formatMeasure(measureScreen(text))}${end}\n`)
  }

  note(text: string): void {
    this.#stderr.write(`${text}\n`)
  }

  problem(message: string, remedy: string): void {
    this.#stderr.write(`sibyl: ${message}\n${remedy === '' ? '' : `       ${remedy}\n`}`)
  }
}
