import type { SigningAnswer, SigningFacts, SigningState } from './signing-protocol.ts'

/**
 * A signature request: a delegation (UCAN) that authorizes this computer to act at one registry, for a limited time.
 * The page derives its text from these facts, and signs these facts; it shows no other text.
 */
export interface SigningRequest {
  /** The registry to which it is limited. */
  readonly registry: { readonly title: string; readonly did: string }
  /** The DID of the key of this computer, the audience. */
  readonly audience: string
  /** `entities/*`, `auth/impersonate` */
  readonly abilities: readonly string[]
  readonly lifetimeSeconds: number
  /** The oracle that it concerns, if any: `Field Oracle`. */
  readonly about?: string | undefined
  /** The controller that must sign, if it is known; another key is the wrong device. */
  readonly expectedDid?: string
}

/** A signed delegation, verified by this computer. */
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
      /** The error of the answer. */
      readonly reason: string
    }

interface SigningEvents {
  /** Called when a phone has opened the link and claimed the request. */
  opened(): void
  /** Called when another device has opened the link and was rejected. */
  turnedAway(): void
  /** Called when the phone has decrypted a key. */
  keyNamed(did: string): void
}

/** Verifies an answer; returns the signed delegation or the error. */
export type AnswerCheck = (answer: SigningAnswer, did: string) => Promise<SignedDelegation | string>

/** One request from its link to its end: the device that may answer it, and its result. Independent of HTTP. */
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

  /** Resolves when it ends. */
  get ended(): Promise<SigningEnd> {
    return this.#end.promise
  }

  /**
   * Assigns the request to the first device that opens the link; that device may open it again.
   *
   * @returns whether it belongs to this device
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

  /** Records the key of the phone; another one than expected ends the request. */
  nameKey(did: string): void {
    if (this.#state !== 'waiting') return
    const { expectedDid = did } = this.facts
    if (expectedDid !== did) this.#finish({ state: 'wrong-device', did })
    else if (this.#did !== did) this.#events.keyNamed(did)
    this.#did = did
  }

  /** Handles the answer of the phone, which ends the request in any case. */
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
