/** Thrown when bytes given as an Ed25519 public key cannot be one. */
export class InvalidPublicKeyError extends Error {
  /** Stable code of this error. */
  readonly code = 'public_key_invalid'

  /** @param length number of bytes that were given */
  constructor(length: number) {
    super(`An Ed25519 public key has 32 bytes, got ${length}: pass the raw key, without an ASN.1 or multicodec prefix.`)
    this.name = 'InvalidPublicKeyError'
  }
}

/** Thrown when bytes given as an Ed25519 secret cannot be one. */
export class InvalidSecretError extends Error {
  /** Stable code of this error. */
  readonly code = 'secret_invalid'

  /** @param length number of bytes that were given */
  constructor(length: number) {
    super(`An Ed25519 secret has 32 bytes, got ${length}: pass what exportSecret() of a signing key returned.`)
    this.name = 'InvalidSecretError'
  }
}
