import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type ClaimAnswer, proofHeader, proofText, type SigningAnswer, type SigningState } from '../signing-protocol.ts'

/** An error of a request to the computer. */
export class ComputerError extends Error {
  /** `offline` if there was no response, or one without a valid proof. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ComputerError'
    this.code = code
  }
}

/** The parsed address of the page. */
interface SigningLink {
  readonly origin: string
  /** Of the request. */
  readonly id: string
  /** The fragment. */
  readonly secret: string
}

/** Parses the address of the page; undefined if a part of the link is missing. */
export const readLink = ({
  origin,
  pathname,
  hash,
}: Pick<Location, 'origin' | 'pathname' | 'hash'>): SigningLink | undefined => {
  const id = pathname.slice(1)
  const secret = hash.slice(1)
  return /^[\w-]{11}$/.test(id) && /^[\w-]{22}$/.test(secret) ? { origin, id, secret } : undefined
}

/** The computer that shows the QR code. Each request and response is authenticated with the secret of the link. */
export class Computer {
  readonly #link: SigningLink
  readonly #device: string
  readonly #fetch: typeof fetch

  /** @param device A random name of this browser, 32 hexadecimal digits. */
  constructor(link: SigningLink, device: string, fetch = globalThis.fetch.bind(globalThis)) {
    this.#link = link
    this.#device = device
    this.#fetch = fetch
  }

  /** Claims the request for this device. */
  async claim(): Promise<ClaimAnswer> {
    const answer = (await this.#post('claim', {})) as ClaimAnswer
    const { id, origin } = answer.facts
    if (id !== this.#link.id || origin !== this.#link.origin)
      throw new ComputerError('offline', 'It responds for another session.')
    return answer
  }

  /** Sends the DID of the key that will sign. */
  nameKey(did: string): Promise<SigningState> {
    return this.#report('key', { did })
  }

  sign(answer: SigningAnswer): Promise<SigningState> {
    return this.#report('sign', answer)
  }

  refuse(): Promise<SigningState> {
    return this.#report('refuse', {})
  }

  /** Polls for a new state, for at most about 20 seconds. */
  watch(): Promise<SigningState> {
    return this.#report('watch', {})
  }

  async #report(name: string, content: object): Promise<SigningState> {
    return ((await this.#post(name, content)) as { state: SigningState }).state
  }

  async #post(name: string, content: object): Promise<unknown> {
    const path = `/${this.#link.id}/${name}`
    const body = JSON.stringify({ device: this.#device, ...content })
    const headers = { 'content-type': 'application/json', [proofHeader]: this.#proof('request', path, body) }
    const init: RequestInit = {
      method: 'POST',
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    }
    const response = await this.#fetch(path, init).catch(() => {
      throw new ComputerError('offline', 'The computer does not respond.')
    })
    const text = await response.text().catch(() => '')
    const isProved = response.headers.get(proofHeader) === this.#proof('answer', path, text)
    if (response.ok && isProved) return JSON.parse(text)
    const { code = 'offline', message = 'Another program responds.' } = parse(text)
    throw new ComputerError(isProved || response.status === 404 ? code : 'offline', message)
  }

  #proof(direction: 'request' | 'answer', path: string, body: string): string {
    const { origin, secret } = this.#link
    const encoder = new TextEncoder()
    const text = proofText({ direction, origin, path }, body)
    return bytesToHex(hmac(sha256, encoder.encode(secret), encoder.encode(text)))
  }
}

const parse = (text: string): { code?: string; message?: string } => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
