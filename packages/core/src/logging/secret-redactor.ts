import { createTextRedactor } from '@sibyl/plugin'

/** Strikes secrets out of texts, also those that become known only while it is in use. */
export class SecretRedactor {
  readonly #secrets: Set<string>
  #strike: ((text: string) => string) | undefined

  constructor(secrets: Iterable<string> = []) {
    this.#secrets = new Set(secrets)
  }

  /** From now on this value is struck out as well. */
  add(secret: string): void {
    if (this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#strike = undefined
  }

  /** The text without secrets; see `createTextRedactor`. Needs no `this`. */
  readonly redact = (text: string): string => {
    this.#strike ??= createTextRedactor([...this.#secrets])
    return this.#strike(text)
  }
}
