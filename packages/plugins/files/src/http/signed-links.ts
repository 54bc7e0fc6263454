import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock, Host } from '@sibyl/plugin'

/** The lifetime of a link in milliseconds; links that are made in the same part of an hour end together. */
const lifetime = { shortestMs: 600_000, partMs: 300_000 }

/** A content that a link names: its row, and its hash, so that the link ends where the file is overwritten. */
export interface LinkedContent {
  readonly entry: number
  readonly sha256: string
}

/** The part of a link beside the file. */
export interface LinkSignature {
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly signature: string
}

/** Signs links to files with a key that is derived from the oracle's own, the same in all of its processes. */
export class SignedLinks {
  readonly #identity: Pick<Host['identity'], 'sign'>
  readonly #clock: Clock
  #key: Promise<Buffer> | undefined

  constructor({ identity, clock }: { readonly identity: Pick<Host['identity'], 'sign'>; readonly clock: Clock }) {
    this.#identity = identity
    this.#clock = clock
  }

  /** @throws `signing_key_missing` */
  async sign(content: LinkedContent): Promise<LinkSignature> {
    const { shortestMs, partMs } = lifetime
    const expires = Math.ceil((this.#clock.now() + shortestMs) / partMs) * partMs
    return { expires, signature: (await this.#mac(content, expires)).toString('base64url') }
  }

  /** Returns whether a link was signed here for that content, and has not expired; compared in constant time. */
  async verify(content: LinkedContent, { expires, signature }: LinkSignature): Promise<boolean> {
    const given = Buffer.from(signature, 'base64url')
    const wanted = await this.#mac(content, expires)
    return given.length === wanted.length && timingSafeEqual(given, wanted) && expires > this.#clock.now()
  }

  async #mac({ entry, sha256 }: LinkedContent, expires: number): Promise<Buffer> {
    this.#key ??= this.#deriveKey()
    this.#key.catch(() => {
      this.#key = undefined
    })
    return createHmac('sha256', await this.#key)
      .update(`${entry}\0${sha256}\0${expires}`)
      .digest()
  }

  /** A signature of Ed25519 is the same each time, and no one but the oracle can make it. */
  async #deriveKey(): Promise<Buffer> {
    const secret = await this.#identity.sign(Buffer.from('sibyl files: the secret of signed links, version 1'))
    return Buffer.from(hkdfSync('sha256', secret, 'sibyl files', 'signed links', 32))
  }
}
