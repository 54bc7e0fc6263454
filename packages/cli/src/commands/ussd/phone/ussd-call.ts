import { randomUUID } from 'node:crypto'
import type { GatewayReply, GatewayRequest } from './ask-gateway.ts'
import type { Delivery, MobileNetwork } from './mobile-network.ts'

/** Whether a request contains all answers of the session, joined by `*`, or the last one. */
export type TextMode = 'cumulative' | 'last'

/** The input, empty for the dial, and the resulting screen. */
interface Exchange {
  readonly typed: string
  readonly reply: GatewayReply
}

interface CallFacts {
  readonly serviceCode: string
  readonly phoneNumber: string
  readonly textMode: TextMode
}

/** One session of one phone, from its dial to its end. */
export class UssdCall {
  readonly facts: CallFacts
  readonly sessionId = randomUUID()
  readonly #network: MobileNetwork
  readonly #exchanges: Exchange[] = []
  #over = false

  constructor(facts: CallFacts, network: MobileNetwork) {
    this.facts = facts
    this.#network = network
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges
  }

  /** Whether the phone waits for an answer. */
  get isOpen(): boolean {
    return !this.#over && this.#exchanges.at(-1)?.reply.kind === 'continue'
  }

  /** Returns the text of the next request for an input. */
  textWith(typed: string): string {
    if (this.facts.textMode === 'last' || this.#exchanges.length === 0) return typed
    return [...this.#exchanges.slice(1).map(exchange => exchange.typed), typed].join('*')
  }

  /**
   * Dials, or answers the current screen. Without a reply the call stays unchanged, and the same input can be sent
   * again.
   *
   * @param typed Empty for the dial.
   * @throws the errors of `MobileNetwork.deliver`
   */
  async send(typed: string, signal: AbortSignal): Promise<Delivery> {
    const { serviceCode, phoneNumber } = this.facts
    const request: GatewayRequest = { sessionId: this.sessionId, serviceCode, phoneNumber, text: this.textWith(typed) }
    const delivery = await this.#network.deliver(request, signal)
    this.#exchanges.push({ typed, reply: delivery.reply })
    return delivery
  }

  /** Cancels the session without notifying the gateway. */
  cancel(): void {
    this.#over = true
  }
}
