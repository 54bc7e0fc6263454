import type { KeyObject } from 'node:crypto'
import { openPublicKey } from '../keys/verify-signature.ts'

/** Opened public keys of the DIDs seen last, so that a busy client's key is decoded once. */
export class PublicKeyCache {
  readonly #capacity: number
  readonly #keys = new Map<string, KeyObject>()

  /** @param capacity how many keys are kept; the one used longest ago is dropped */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /**
   * Gives the key of a `did:key`.
   *
   * @returns undefined when the DID is not a `did:key` of an Ed25519 key
   */
  get(did: string): KeyObject | undefined {
    const key = this.#keys.get(did) ?? openPublicKey(did)
    if (key === undefined) return undefined
    this.#keys.delete(did)
    this.#keys.set(did, key)
    if (this.#keys.size > this.#capacity) this.#keys.delete(this.#keys.keys().next().value!)
    return key
  }
}
