import { randomUUID } from 'node:crypto'
import type { GatewayReply, GatewayRequest } from './ask-gateway.ts'
import type { Delivery, MobileNetwork } from './mobile-network.ts'

/** Whether a request holds all that was typed in the session, joined by `*`, or what was typed last. */
export type TextMode = 'cumulative' | 'last'

/** What was typed, empty for the dial itself, and what the phone showed then. */
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

  /** The text of the next request, were this typed. */
  textWith(typed: string): string {
    if (this.facts.textMode === 'last' || this.#exchanges.length === 0) return typed
    return [...this.#exchanges.slice(1).map(exchange => exchange.typed), typed].join('*')
  }

  /**
   * Dials, or answers the screen that is shown. Where no reply comes, the call stays as it was, and the same may be typed
   * again.
   *
   * @param typed Empty for the dial.
   * @throws what `MobileNetwork.deliver` throws
   */
  async send(typed: string, signal: AbortSignal): Promise<Delivery> {
    const { serviceCode, phoneNumber } = this.facts
    const request: GatewayRequest = { sessionId: this.sessionId, serviceCode, phoneNumber, text: this.textWith(typed) }
    const delivery = await this.#network.deliver(request, signal)
    this.#exchanges.push({ typed, reply: delivery.reply })
    return delivery
  }

  /** The phone or the network gives the session up; nobody tells the gateway. */
  cancel(): void {
    this.#over = true
  }
}
