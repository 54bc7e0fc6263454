/** Every reason for which a token is refused, with its meaning. The keys are stable codes. */
export const refusalReasons = {
  malformed: 'Not a UCAN of three canonical base64url segments with the fields and types of version 0.8.1.',
  too_large: 'More bytes than allowed.',
  too_many_proofs: 'More proofs than allowed, counted over all levels.',
  too_deep: 'Proofs are nested deeper than allowed.',
  too_many_capabilities: 'More capabilities than allowed, counted over the token and all proofs.',
  unsupported_algorithm: 'The header does not name EdDSA.',
  unsupported_version: 'The header does not name ucv 0.8.1.',
  unsupported_issuer: 'An issuer is not a did:key of an Ed25519 key.',
  forbidden_scheme: 'A capability uses one of the schemes my:, as: and prf:.',
  expiry_missing: 'The token or a proof never expires.',
  nonce_missing: 'The token has no nonce, so replays cannot be detected.',
  lifetime_too_long: 'The token or a proof is valid for longer than allowed.',
  expired: 'The token or a proof has expired.',
  not_yet_valid: 'The token or a proof is not valid yet.',
  wrong_audience: 'The audience of the token is another DID.',
  proof_audience_mismatch: 'The audience of a proof is not the issuer who presents it.',
  capability_missing: 'The token does not claim the required ability on the required resource.',
  capability_escalated: 'A link claims more than its proofs grant.',
  untrusted_root: 'The root of the chain is not an owner of the resource.',
  bad_signature: 'The signature of the token or of a proof is invalid.',
  revoked: 'The token or a proof has been revoked.',
} as const

/** Why a token is refused: a stable code, explained in `refusalReasons`. */
export type RefusalReason = keyof typeof refusalReasons

/** The verdict on a token that is not accepted. */
export interface Refusal {
  readonly ok: false
  readonly reason: RefusalReason
  /** The exact error and its place, for logs and problem texts. Contains no part of the token. */
  readonly detail: string
}

export function refuse(reason: RefusalReason, detail: string): Refusal {
  return { ok: false, reason, detail }
}
