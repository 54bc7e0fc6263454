import { type PhoneForm, plainForm } from '@sibyl/bundle/phone'
import { cliErrors } from '../../../errors/cli-errors.ts'
import type { GatewayReply } from './call-gateway.ts'
import type { MobileNetwork } from './mobile-network.ts'
import type { PhoneView } from './phone-view.ts'
import type { Recorder } from './recording.ts'
import { measureScreen } from './screen-frame.ts'
import { UssdCall } from './ussd-call.ts'

/** The result of input: a screen, an error screen, or a cancellation. */
type SendEnd = 'shown' | 'failed' | 'cancelled'

/** The result of a line; `left` ends the phone. */
export type LineEnd = SendEnd | 'left'

export interface PhoneParts {
  readonly network: MobileNetwork
  readonly view: PhoneView
  /** The form of its gateway. */
  readonly form: PhoneForm
  readonly phoneNumber: string
  readonly serviceCode: string
  readonly recorder: Recorder | undefined
}

/** The maximum length of the text of `POST /api/ussd`. */
const longestText = 182

const trusted = 'Set USSD_GATEWAY_SECRET to the value of the oracle, or call from an address in USSD_TRUSTED_GATEWAYS.'

/** One or more phones, of which one is selected. Each has at most one call. */
export class Phone {
  readonly network: MobileNetwork
  recorder: Recorder | undefined
  readonly #view: PhoneView
  readonly #form: PhoneForm
  readonly #calls = new Map<string, UssdCall>()
  #number: string
  #serviceCode: string
  #waiting: AbortController | undefined

  constructor({ network, view, form, phoneNumber, serviceCode, recorder }: PhoneParts) {
    this.network = network
    this.recorder = recorder
    this.#view = view
    this.#form = form
    this.#number = phoneNumber
    this.#serviceCode = serviceCode
  }

  /** The number of the selected phone. */
  get number(): string {
    return this.#number
  }

  /** The last dialed code. */
  get serviceCode(): string {
    return this.#serviceCode
  }

  /** Whether the selected phone shows a screen that waits for an answer. */
  get inCall(): boolean {
    return this.#call?.isOpen ?? false
  }

  /** Whether a reply is pending. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** The call of the selected phone; undefined before its first dial. */
  get call(): UssdCall | undefined {
    return this.#call
  }

  /** Starts a call, which replaces the previous one. */
  async dial(serviceCode = this.#serviceCode): Promise<SendEnd> {
    this.#serviceCode = serviceCode
    const form = this.#form
    const call = new UssdCall({ serviceCode, phoneNumber: this.#number, textMode: form.textMode }, this.network, form)
    this.#calls.set(this.#number, call)
    this.#view.sending(serviceCode)
    return this.#send(call, '')
  }

  /** Answers the current screen. */
  async answer(typed: string): Promise<SendEnd> {
    const call = this.#call
    if (!call?.isOpen) return 'failed'
    const { length } = call.textWith(typed)
    if (call.form.name === plainForm().name && length > longestText) {
      this.#view.note(`The session text is now ${length} characters long; a gateway accepts ${longestText}.`)
    }
    this.#view.sending(typed)
    return this.#send(call, typed)
  }

  /** Cancels the call of the selected phone and the wait for a reply; returns whether there was one. */
  cancel(): boolean {
    const waiting = this.#waiting
    const had = this.inCall || waiting !== undefined
    this.#call?.cancel()
    waiting?.abort()
    return had
  }

  /** Selects another phone; one that was selected before shows its screen again. */
  select(number: string): void {
    this.#number = number
    const call = this.#call
    const reply = call?.exchanges.at(-1)?.reply
    if (call?.isOpen && reply) this.#view.screen(reply, call)
  }

  get #call(): UssdCall | undefined {
    return this.#calls.get(this.#number)
  }

  async #send(call: UssdCall, typed: string): Promise<SendEnd> {
    const waiting = new AbortController()
    this.#waiting = waiting
    try {
      const { reply, other } = await call.send(typed, waiting.signal)
      this.#view.screen(reply, call)
      await this.recorder?.keep(call)
      if (other) return this.#printOther(other, call)
      return this.#remark(reply, call)
    } catch (error) {
      if (waiting.signal.aborted) return 'cancelled'
      if (cliErrors.gateway_timeout.is(error)) call.cancel()
      throw error
    } finally {
      this.#waiting = undefined
      this.#view.settle()
    }
  }

  #printOther(other: GatewayReply, call: UssdCall): SendEnd {
    this.#view.problem('The request was delivered twice, and the second reply differs:', '')
    this.#view.screen(other, call)
    return 'failed'
  }

  #remark({ text, status, retryAfterSeconds }: GatewayReply, { form }: UssdCall): SendEnd {
    const { length, limit } = measureScreen(text, form.limits)
    if (length > limit)
      this.#view.note('The reply is longer than one message: a network truncates it, or shows nothing.')
    if (status === undefined) return 'shown'
    const again = retryAfterSeconds === undefined ? '' : `Try again in ${Math.ceil(retryAfterSeconds)} s.`
    if (status === 429) this.#view.problem('The gateway rejects further requests for now (HTTP 429).', again)
    else if (status === 403) this.#view.problem('The gateway accepts only trusted gateways (HTTP 403).', trusted)
    else this.#view.problem(`The gateway did not handle the request (HTTP ${status}).`, again)
    return 'failed'
  }
}
