import type { Random } from '../frame/random.ts'
import { PlainCall } from '../ussd/plain-call.ts'

/** A caller with an account. */
export interface Owner {
  readonly phoneNumber: string
  readonly customerId: string
  readonly pin: string
}

/** Expected responses to a guess. */
const refusals = /^(Customer ID or PIN is wrong|Too many wrong tries)/

/** Number of guesses of a phone before another one replaces it, one session each or all in one. */
const guessesOfPhone = 4

/** Those who guess PINs, from many phones and over many sessions. */
export class Guessers {
  phones = 0
  letIn = 0
  readonly odd: string[] = []
  readonly #random: Random
  readonly #urls: readonly string[]
  #guesses = 0

  /** @param urls of the processes that they call */
  constructor(random: Random, urls: readonly string[]) {
    this.#random = random
    this.#urls = urls
  }

  /** Makes an account. */
  async createAccount(phoneNumber = '+260961234567'): Promise<Owner> {
    const pin = '830549'
    const { text } = await this.#call(phoneNumber).answers('2', '2', 'Owner', '1', pin, pin)
    const customerId = /\d{9}/.exec(text)?.[0]
    if (customerId === undefined) throw new Error(`no account was made: ${text}`)
    return { phoneNumber, customerId, pin }
  }

  /** Whether the owner comes in with the right PIN. */
  async signIn({ phoneNumber, customerId, pin }: Owner): Promise<boolean> {
    return (await this.#call(phoneNumber).answers('2', '1', customerId, pin)).text.startsWith('My account')
  }

  /** Makes one guess from the phone of a caller with an account. */
  async guessFrom({ phoneNumber }: Owner, customerId: string): Promise<void> {
    this.#judge((await this.#call(phoneNumber).answers('2', '1', customerId, this.#wrongPin())).text)
  }

  /** Makes guesses, all at once: the phones first come to the screen that asks for the PIN, then all send theirs. */
  async guess(customerId: string, count: number): Promise<void> {
    const calls = await Promise.all(
      Array.from({ length: count }, async () => {
        const call = this.#call(this.#nextPhone())
        const asked = await call.answers('2', '1', customerId)
        if (!asked.text.startsWith('Enter your PIN')) this.odd.push(asked.text)
        return call
      }),
    )
    await Promise.all(
      calls.map(async call => {
        this.#judge((await call.answer(this.#wrongPin())).text)
      }),
    )
  }

  #judge(text: string): void {
    if (text.startsWith('My account')) this.letIn += 1
    else if (!refusals.test(text)) this.odd.push(text)
  }

  #call(phoneNumber: string): PlainCall {
    return new PlainCall(this.#random.pick(this.#urls), phoneNumber)
  }

  #nextPhone(): string {
    if (this.#guesses++ % guessesOfPhone === 0) this.phones += 1
    return `+26097${String(this.phones).padStart(7, '0')}`
  }

  /** Any of four digits: the right one has six. */
  #wrongPin(): string {
    return String(this.#random.integer(0, 9_999)).padStart(4, '0')
  }
}
