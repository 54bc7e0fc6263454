import { gatewaySecret } from './gateway-settings.ts'
import { readPlain, type Screen } from './screens.ts'

/** One session in the interface specification's own form, whose text accumulates automatically. */
export class PlainCall {
  readonly sessionId: string
  readonly phoneNumber: string
  readonly #url: string
  #typed = ''

  /** @param url of an oracle */
  constructor(url: string, phoneNumber: string, sessionId: string = crypto.randomUUID()) {
    this.#url = url
    this.phoneNumber = phoneNumber
    this.sessionId = sessionId
  }

  /** Dials, or types an answer. @throws Error where the answer is neither CON nor END */
  async answer(text?: string): Promise<Screen> {
    if (text !== undefined) this.#typed = this.#typed === '' ? text : `${this.#typed}*${text}`
    const { sessionId, phoneNumber } = this
    const response = await fetch(`${this.#url}/api/ussd`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-secret': gatewaySecret },
      body: JSON.stringify({ sessionId, serviceCode: '*1234#', phoneNumber, text: this.#typed }),
    })
    const body = await response.text()
    const screen = readPlain(body)
    if (screen === undefined) throw new Error(`neither CON nor END: ${response.status} ${body}`)
    return screen
  }

  /** Dials and types all of this, one after the other; the last screen. */
  async answers(...texts: readonly string[]): Promise<Screen> {
    let screen = await this.answer()
    for (const text of texts) screen = await this.answer(text)
    return screen
  }
}
