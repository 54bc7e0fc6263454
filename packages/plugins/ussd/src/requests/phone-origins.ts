const capacity = 50_000

/**
 * Remembers which phones an untrusted gateway named last, and its address. A stranger can name any number of phones, so their
 * use counts for the stranger's address as well.
 */
export class PhoneOrigins {
  readonly #origins = new Map<string, string>()

  /** Notes where a request for a phone came from. @param origin undefined for a trusted gateway */
  note(phoneNumber: string, origin: string | undefined): void {
    this.#origins.delete(phoneNumber)
    if (origin === undefined) return
    this.#origins.set(phoneNumber, origin)
    if (this.#origins.size <= capacity) return
    const [oldest] = this.#origins.keys()
    this.#origins.delete(oldest!)
  }

  /** Returns the origin that a phone counts for; undefined where it counts alone. */
  of(phoneNumber: string): string | undefined {
    return this.#origins.get(phoneNumber)
  }
}
