// Keys
export { createSigningKey, signingKeyFromSecret } from './keys/browser-signing-key.ts'
export { didFromPublicKey, publicKeyFromDid } from './keys/did-key.ts'
export { InvalidPublicKeyError, InvalidSecretError } from './keys/key-errors.ts'
export type { Signer, SigningKey } from './keys/signing-key.ts'

// UCANs
export { abilityCovers, type Capability, impersonationAbility } from './ucan/capability.ts'
export { grantedAbilities } from './ucan/granted-abilities.ts'
export { InvalidMintRequestError } from './ucan/invalid-mint-request-error.ts'
export { MAX_DELEGATION_LIFETIME_SECONDS, MAX_INVOCATION_LIFETIME_SECONDS } from './ucan/lifetimes.ts'
export { type Grant, type MintRequest, mintDelegation, mintInvocation } from './ucan/mint.ts'
export { narrowAbilities } from './ucan/narrow-abilities.ts'
export type { Fact } from './ucan/read-claims.ts'
export type { Refusal, RefusalReason } from './ucan/refusal.ts'
