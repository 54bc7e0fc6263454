import { safeJson } from '../../../output/clean-text.ts'
import type { OutputStream } from '../../../process/command-io.ts'
import type { GatewayReply } from './ask-gateway.ts'
import type { PhoneView } from './phone-view.ts'
import { measureScreen } from './screen-frame.ts'
import type { UssdCall } from './ussd-call.ts'

/** Shows each screen as one line of JSON; remarks go to standard error. */
export class JsonPhoneView implements PhoneView {
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream

  constructor(stdout: OutputStream, stderr: OutputStream) {
    this.#stdout = stdout
    this.#stderr = stderr
  }

  sending(): void {}

  settle(): void {}

  screen({ kind, text, status }: GatewayReply, { sessionId, facts, exchanges }: UssdCall): void {
    const { phoneNumber, serviceCode } = facts
    const facets = { ...measureScreen(text), ...(status === undefined ? {} : { status }) }
    const typed = exchanges.at(-1)?.typed
    this.#stdout.write(`${safeJson({ typed, kind, text, ...facets, sessionId, phoneNumber, serviceCode })}\n`)
  }

  note(text: string): void {
    this.#stderr.write(`${text}\n`)
  }

  problem(message: string, remedy: string): void {
    this.#stderr.write(`sibyl: ${message}\n${remedy === '' ? '' : `       ${remedy}\n`}`)
  }
}
