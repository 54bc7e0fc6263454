const capacity = 50_000

/**
 * Caches which phones an untrusted gateway used last, and its address. An untrusted gateway can send any number of
 * phones, so their use counts for its address as well.
 */
export class PhoneOrigins {
  readonly #origins = new Map<string, string>()

  /** Stores the origin of a request for a phone. @param origin undefined for a trusted gateway */
  note(phoneNumber: string, origin: string | undefined): void {
    this.#origins.delete(phoneNumber)
    if (origin === undefined) return
    this.#origins.set(phoneNumber, origin)
    if (this.#origins.size <= capacity) return
    const [oldest] = this.#origins.keys()
    this.#origins.delete(oldest!)
  }

  /** Returns the origin that a phone counts for; undefined if it counts alone. */
  of(phoneNumber: string): string | undefined {
    return this.#origins.get(phoneNumber)
  }
}
