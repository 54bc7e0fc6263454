import type { SigningAnswer, SigningFacts, SigningState } from './signing-protocol.ts'

/**
 * What a phone is asked to sign: a delegation (UCAN) that lets this computer act at one registry, for a while. The page
 * makes its plain words from these facts, and signs these facts; no text of ours goes unchecked between the two.
 */
export interface SigningRequest {
  /** Where it is good, and nowhere else. */
  readonly registry: { readonly title: string; readonly did: string }
  /** The DID of this computer's key, which receives the right. */
  readonly audience: string
  /** `entities/*`, `auth/impersonate` */
  readonly abilities: readonly string[]
  readonly lifetimeSeconds: number
  /** The oracle that it is about, where there is one: `Field Oracle`. */
  readonly about?: string
  /** The controller that must sign, where it is known already; another key is the wrong device. */
  readonly expectedDid?: string
}

/** What a phone signed, verified by this computer. */
export interface SignedDelegation {
  readonly did: string
  readonly delegation: string
  readonly expiresAt: number
}

export type SigningEnd =
  | { readonly state: 'signed'; readonly signed: SignedDelegation }
  | { readonly state: 'refused' | 'expired' | 'cancelled' }
  | { readonly state: 'wrong-device'; readonly did: string }
  | {
      readonly state: 'invalid'
      /** What is wrong with the answer. */
      readonly reason: string
    }

/** What happens on the way, for the terminal. */
interface SigningEvents {
  /** A phone opened the link, and the request is now its own. */
  opened(): void
  /** Another device opened the link, and was sent away. */
  turnedAway(): void
  /** The phone has unlocked a key. */
  keyNamed(did: string): void
}

/** Checks an answer; gives what was signed, or what is wrong with it. */
export type AnswerCheck = (answer: SigningAnswer, did: string) => Promise<SignedDelegation | string>

/** One request from its link to its end: who may answer it, and how it ended. Knows nothing of HTTP. */
export class SigningSession {
  readonly facts: SigningFacts
  readonly #check: AnswerCheck
  readonly #events: SigningEvents
  readonly #end = Promise.withResolvers<SigningEnd>()
  #device: string | undefined
  #did: string | undefined
  #state: SigningState = 'waiting'
  #turnedAway = false

  constructor(facts: SigningFacts, check: AnswerCheck, events: SigningEvents) {
    this.facts = facts
    this.#check = check
    this.#events = events
  }

  get state(): SigningState {
    return this.#state
  }

  /** Resolves once, when it is over. */
  get ended(): Promise<SigningEnd> {
    return this.#end.promise
  }

  /**
   * The first device that opens the link gets the request; it may open it again.
   *
   * @returns whether it is this device's
   */
  claim(device: string): boolean {
    if (this.#device === undefined) {
      this.#device = device
      this.#events.opened()
    }
    if (this.#device === device) return true
    if (!this.#turnedAway) this.#events.turnedAway()
    this.#turnedAway = true
    return false
  }

  get isOpened(): boolean {
    return this.#device !== undefined
  }

  isOf(device: string): boolean {
    return this.#device === device
  }

  /** The phone has unlocked a key; another one than expected ends the request. */
  nameKey(did: string): void {
    if (this.#state !== 'waiting') return
    const { expectedDid = did } = this.facts
    if (expectedDid !== did) this.#finish({ state: 'wrong-device', did })
    else if (this.#did !== did) this.#events.keyNamed(did)
    this.#did = did
  }

  /** Takes the phone's answer, which ends the request whatever it is worth. */
  async sign(answer: SigningAnswer): Promise<void> {
    if (this.#state !== 'waiting') return
    const verdict = this.#did === undefined ? 'It did not name a key.' : await this.#check(answer, this.#did)
    this.#finish(
      typeof verdict === 'string' ? { state: 'invalid', reason: verdict } : { state: 'signed', signed: verdict },
    )
  }

  end(state: 'refused' | 'expired' | 'cancelled'): void {
    this.#finish({ state })
  }

  #finish(end: SigningEnd): void {
    if (this.#state !== 'waiting') return
    this.#state = end.state
    this.#end.resolve(end)
  }
}
