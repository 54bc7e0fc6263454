import { gatewaySecret } from './gateway-settings.ts'
import { readHubtel, readPlain, type Screen, unavailableText } from './screens.ts'

/** Result of a turn. */
export type TurnResult = 'acknowledged' | 'unavailable' | 'wrong' | 'broken'

interface Step {
  readonly type: string
  readonly shows: RegExp
}

/** No digits of a phone number or a customer id. */
const pin = '830549'

const late = /takes a little longer/

/** Maximum number of checks of a late action. */
const maxChecks = 3

/** From the dial to the end of the session: menus, an account, its profile, and an action that works outside. */
const stepsOf = (name: string): readonly Step[] => [
  { type: '', shows: /^Welcome to/ },
  { type: '1', shows: /1\. About this service/ },
  { type: '2', shows: /has set no price/ },
  { type: '0', shows: /1\. About this service/ },
  { type: '0', shows: /^Welcome to/ },
  { type: '2', shows: /1\. Log in/ },
  { type: '2', shows: /^Enter your name/ },
  { type: name, shows: /^Enter your e-mail/ },
  { type: '1', shows: /^Choose a PIN/ },
  { type: pin, shows: /^Enter the PIN again/ },
  { type: pin, shows: /^Your account is ready/ },
  { type: '1', shows: /^My account/ },
  { type: '3', shows: new RegExp(`^${name}\n`) },
  { type: '0', shows: /^My account/ },
  { type: '0', shows: /^Welcome to/ },
  { type: '1', shows: /1\. About this service/ },
  { type: '3', shows: /^Noted|takes a little longer/ },
  { type: '*', shows: /Goodbye/ },
]

/** The turn that runs the action. */
const noteAt = 16

/**
 * A phone that walks through a session, and notes what it was acknowledged. A turn whose answer did not come is sent again,
 * in the same words, as a telecom gateway does. Every second phone is one of Hubtel's, which send their last answer alone.
 */
export class WalkingPhone {
  readonly phoneNumber: string
  /** Name that it enters for its account. */
  readonly name: string
  /** The customer id that was acknowledged. */
  customerId: string | undefined
  /** Whether the action outside was acknowledged as done. */
  noted = false
  /** The text that came last, whether it was the right one or not. */
  heard = ''
  readonly sessionId: string
  /** `plain`, or the provider whose form it speaks. */
  readonly form: 'plain' | 'hubtel'
  readonly #steps: readonly Step[]
  #typed: string[] = []
  #waitsFor: Step | undefined
  #at = 0
  #checks = 0
  #shown: Screen | undefined

  /**
   * @param index up to seven digits, another one for each phone
   * @param notes whether it comes to the action that works outside
   */
  constructor(index: number, notes: boolean) {
    this.phoneNumber = `+26097${String(index).padStart(7, '0')}`
    this.sessionId = `walk-${index}`
    this.form = index % 2 === 1 ? 'hubtel' : 'plain'
    this.name = `Phone ${index}`
    this.#steps = stepsOf(this.name).filter((_, at) => notes || at !== noteAt)
  }

  /** Returns whether it has shown its last screen. */
  get over(): boolean {
    return this.#waitsFor === undefined && this.#at === this.#steps.length
  }

  /** Whether a turn was sent whose answer did not come. */
  get waits(): boolean {
    return this.#waitsFor !== undefined
  }

  /** Returns whether it has not dialed yet. */
  get fresh(): boolean {
    return this.#at === 0
  }

  /** Sends the next turn, or the one again whose answer did not come. */
  async turn(url: string): Promise<TurnResult> {
    const step = this.#waitsFor ?? this.#next()
    this.#waitsFor = step
    const screen = await this.#send(url)
    if (screen === undefined) return 'broken'
    if (screen.text === unavailableText) return 'unavailable'
    this.#waitsFor = undefined
    this.#shown = screen
    if (/^Noted/.test(screen.text)) this.noted = true
    if (/^Your account is ready/.test(screen.text)) this.customerId = /\d{9}/.exec(screen.text)?.[0]
    return this.#fits(step, screen) ? 'acknowledged' : 'wrong'
  }

  /** Sends the last turn that was acknowledged again: it must show the same. */
  async repeat(url: string): Promise<TurnResult> {
    const screen = await this.#send(url)
    if (screen === undefined) return 'broken'
    if (screen.text === unavailableText) return 'unavailable'
    return screen.text === this.#shown?.text && screen.goesOn === this.#shown.goesOn ? 'acknowledged' : 'wrong'
  }

  /** The answers that it has typed. */
  get typed(): readonly string[] {
    return this.#typed
  }

  /** Returns the screen of the last turn. */
  get shown(): string {
    return this.#shown?.text ?? ''
  }

  #next(): Step {
    if (this.#shown !== undefined && late.test(this.#shown.text) && this.#checks < maxChecks) {
      this.#checks += 1
      this.#typed.push('1')
      return { type: '1', shows: /^Noted|takes a little longer|could not tell/ }
    }
    const step = this.#steps[this.#at]
    if (step === undefined) throw new Error('The phone has hung up.')
    this.#at += 1
    if (this.#at > 1) this.#typed.push(step.type)
    return step
  }

  #fits(step: Step, { goesOn, text }: Screen): boolean {
    const showsTheirs = !/Customer ID:/.test(text) || (this.customerId !== undefined && text.includes(this.customerId))
    return step.shows.test(text) && showsTheirs && goesOn === (step.type !== '*')
  }

  async #send(url: string): Promise<Screen | undefined> {
    const [path, body] = this.form === 'hubtel' ? ['/hubtel', this.#hubtel()] : ['', this.#plain()]
    try {
      const response = await fetch(`${url}/api/ussd${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gateway-secret': gatewaySecret },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      const read = this.form === 'hubtel' ? readHubtel : readPlain
      const screen = read(text) ?? { goesOn: false, text: `${response.status} ${text}` }
      this.heard = screen.text
      return screen
    } catch {
      return undefined
    }
  }

  #plain() {
    const { phoneNumber } = this
    return { sessionId: this.sessionId, serviceCode: '*1234#', phoneNumber, text: this.#typed.join('*') }
  }

  #hubtel() {
    const dials = this.#typed.length === 0
    return {
      Type: dials ? 'Initiation' : 'Response',
      Mobile: this.phoneNumber.slice(1),
      SessionId: this.sessionId,
      ServiceCode: '1234',
      Message: dials ? '*1234#' : this.#typed.at(-1),
      Sequence: this.#typed.length + 1,
    }
  }
}
