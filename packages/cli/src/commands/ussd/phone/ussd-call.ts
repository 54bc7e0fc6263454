import { randomUUID } from 'node:crypto'
import { type PhoneForm, plainForm } from '@sibyl/bundle/phone'
import type { GatewayReply } from './call-gateway.ts'
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
  readonly form: PhoneForm
  readonly sessionId = randomUUID()
  readonly #network: MobileNetwork
  readonly #exchanges: Exchange[] = []
  #over = false

  /** @param form The form of its gateway. @default that of `POST /api/ussd` */
  constructor(facts: CallFacts, network: MobileNetwork, form: PhoneForm = plainForm(facts.textMode)) {
    this.facts = facts
    this.form = form
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
    return [...this.#answers, typed].join('*')
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
    const { sessionId, form } = this
    const answers = this.#exchanges.length === 0 ? [] : [...this.#answers, typed]
    const call = { sessionId, serviceCode, phoneNumber, answers }
    const delivery = await this.#network.deliver({ form, call }, signal)
    this.#exchanges.push({ typed, reply: delivery.reply })
    return delivery
  }

  get #answers(): string[] {
    return this.#exchanges.slice(1).map(exchange => exchange.typed)
  }

  /** Cancels the session without notifying the gateway. */
  cancel(): void {
    this.#over = true
  }
}
