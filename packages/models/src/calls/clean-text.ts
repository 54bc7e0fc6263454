import { createHash, randomBytes } from 'node:crypto'

/** Characters that databases reject: NUL, and unpaired surrogates. */
const nul = /\0/g

/**
 * Cleans the texts of a stream: NUL characters are left out, halves of characters that find no other half become U+FFFD.
 * A half at the end of a piece waits for the next piece of the same text.
 */
export class TextCleaner {
  readonly #halves = new Map<string, string>()

  /** The next piece of a text, clean. */
  piece(id: string, text: string): string {
    const half = this.#halves.size > 0 ? this.#take(id) : ''
    const whole = half + text
    const last = whole.charCodeAt(whole.length - 1)
    const waits = last >= 0xd800 && last <= 0xdbff
    if (waits) this.#halves.set(id, whole.slice(-1))
    return cleanText(waits ? whole.slice(0, -1) : whole)
  }

  /** Returns the rest of a text: an unpaired surrogate at its end, as U+FFFD. */
  rest(id: string): string {
    return this.#take(id) === '' ? '' : '\ufffd'
  }

  #take(id: string): string {
    const half = this.#halves.get(id) ?? ''
    this.#halves.delete(id)
    return half
  }
}

/** A text that every database takes. */
export const cleanText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replace(nul, '') : whole
}

const plainId = /^[\x21-\x7e]{1,128}$/

/** A tool call's id as databases and services take it: odd and long ones are hashed, the same to the same. */
export const cleanCallId = (id: string): string =>
  plainId.test(id) ? id : `call_${createHash('sha256').update(id).digest('base64url')}`

/** Returns an id for a call whose own id another call has; some servers require nine letters and digits. */
export const newCallId = (): string => randomBytes(5).toString('hex').slice(0, 9)
