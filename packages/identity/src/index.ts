// Encodings
export { fromBase58, toBase58 } from './encoding/base58.ts'
export { repeatedMembers } from './encoding/repeated-members.ts'
// Keys

export { derivePairwiseKey } from './keys/derive-pairwise-key.ts'
export { didFromPublicKey, publicKeyFromDid } from './keys/did-key.ts'
export { InvalidPublicKeyError, InvalidSecretError } from './keys/key-errors.ts'
export {
  createMnemonic,
  type Mnemonic,
  type MnemonicRefusal,
  type MnemonicResult,
  parseMnemonic,
} from './keys/mnemonic.ts'
export { signingKeyFromMnemonic } from './keys/mnemonic-signing-key.ts'
export { createSigningKey, signingKeyFromSecret } from './keys/node-signing-key.ts'
export type { Signer, SigningKey } from './keys/signing-key.ts'
export { verifySignature } from './keys/verify-signature.ts'

// UCANs
export { abilityCovers, type Capability, impersonationAbility, isAbility } from './ucan/capability.ts'
export type { ChainLink } from './ucan/chain-check.ts'
export {
  createVerifier,
  type Invocation,
  type RequiredCapability,
  type Verdict,
  type Verifier,
  type VerifierOptions,
} from './ucan/create-verifier.ts'
export { grantedAbilities } from './ucan/granted-abilities.ts'
export { InvalidMintRequestError } from './ucan/invalid-mint-request-error.ts'
export { MAX_DELEGATION_LIFETIME_SECONDS, MAX_INVOCATION_LIFETIME_SECONDS } from './ucan/lifetimes.ts'
export { type Grant, type MintRequest, mintDelegation, mintInvocation } from './ucan/mint.ts'
export { narrowAbilities } from './ucan/narrow-abilities.ts'
export type { AccessPolicy } from './ucan/proof-chain.ts'
export type { Fact } from './ucan/read-claims.ts'
export { defaultTokenLimits, type TokenLimits } from './ucan/read-token.ts'
export { type Refusal, type RefusalReason, refusalReasons } from './ucan/refusal.ts'
export {
  type ChainRevocationVerdict,
  type Revocation,
  type RevocationVerdict,
  signRevocation,
  verifyRevocation,
} from './ucan/revocation.ts'
export { tokenHash } from './ucan/token-hash.ts'
export type { Delegation, DelegationVerdict } from './ucan/verify-delegation.ts'
