import { createTextRedactor } from '@sibyl/plugin/host'

/** Redacts secrets from texts, including those that are added later. */
export class SecretRedactor {
  readonly #secrets: Set<string>
  #redact: ((text: string) => string) | undefined

  constructor(secrets: Iterable<string> = []) {
    this.#secrets = new Set(secrets)
  }

  /** Adds a value to redact from now on. */
  add(secret: string): void {
    if (this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#redact = undefined
  }

  /** Returns the text without secrets; see `createTextRedactor`. Needs no `this`. */
  readonly redact = (text: string): string => {
    this.#redact ??= createTextRedactor([...this.#secrets])
    return this.#redact(text)
  }
}
