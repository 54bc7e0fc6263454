import { didFromPublicKey } from './did-key.ts'
import { InvalidSecretError } from './key-errors.ts'

/** A signer with a DID: the requirement for minting a UCAN. */
export interface Signer {
  /** The `did:key` of the signer's public key. */
  readonly did: string
  /**
   * Signs with Ed25519 (RFC 8032).
   *
   * @param bytes the message itself, not a hash of it
   * @returns the signature, 64 bytes
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/** An Ed25519 key pair held in memory. Printing, serialising or cloning it shows its DID and never the secret. */
export interface SigningKey extends Signer {
  /** The public key, 32 bytes; a copy at each reading. */
  readonly publicKey: Uint8Array
  /**
   * Hands out the secret, 32 bytes, for a key file that only its owner can read (mode 0600).
   * `signingKeyFromSecret` makes the same key of it again.
   */
  exportSecret(): Uint8Array
}

/** An opened secret of an Ed25519 implementation. */
export interface OpenedSecret {
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array
  /** Signs a message; returns 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array
}

/** The signing key over any Ed25519 implementation. */
export class Ed25519SigningKey implements SigningKey {
  readonly did: string
  readonly #secret: Uint8Array
  readonly #opened: OpenedSecret

  /**
   * @param secret 32 bytes (RFC 8032's private key); copied
   * @param open the Ed25519 implementation
   * @throws InvalidSecretError (`secret_invalid`) when it is not 32 bytes
   */
  constructor(secret: Uint8Array, open: (secret: Uint8Array) => OpenedSecret) {
    if (secret.length !== 32) throw new InvalidSecretError(secret.length)
    this.#secret = Uint8Array.from(secret)
    this.#opened = open(this.#secret)
    this.did = didFromPublicKey(this.#opened.publicKey)
  }

  get publicKey(): Uint8Array {
    return this.#opened.publicKey.slice()
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    return this.#opened.sign(bytes)
  }

  exportSecret(): Uint8Array {
    return this.#secret.slice()
  }

  /** The form for `JSON.stringify` and loggers. */
  toJSON(): { did: string } {
    return { did: this.did }
  }

  /** The form for `console.log` and template literals. */
  toString(): string {
    return `SigningKey(${this.did})`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}
