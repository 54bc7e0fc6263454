import type { Refusal, RefusalReason } from './refusal.ts'

/** Thrown when a token is asked for that every verifier would refuse. The message holds no part of a token. */
export class InvalidMintRequestError extends Error {
  /** Stable code of this error. */
  readonly code = 'mint_request_invalid'
  /** Why a verifier would refuse the token. */
  readonly reason: RefusalReason

  /** @param refusal the verdict on the token that was asked for */
  constructor(refusal: Refusal) {
    super(`This UCAN was not minted, because it would be rejected (${refusal.reason}). ${refusal.detail}`)
    this.name = 'InvalidMintRequestError'
    this.reason = refusal.reason
  }
}
