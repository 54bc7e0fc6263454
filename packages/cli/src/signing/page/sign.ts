import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { mintDelegation, type SigningKey } from '@sibyl/identity/browser'
import {
  answerText,
  digitsOf,
  fingerprintText,
  resourceOf,
  type SigningAnswer,
  type SigningFacts,
  statementOf,
} from '../signing-protocol.ts'

export const fingerprintOf = (facts: SigningFacts, did: string): string =>
  digitsOf(sha256(new TextEncoder().encode(fingerprintText(facts, did))))

/** Signs the shown facts: a UCAN, by the clock of the computer, and the challenge. */
export const signFacts = async (facts: SigningFacts, key: SigningKey): Promise<SigningAnswer> => {
  const { audience, abilities, from, until } = facts
  const delegation = await mintDelegation({
    key,
    audience,
    resource: resourceOf(facts),
    abilities,
    lifetimeSeconds: until - from,
    facts: [statementOf(facts)],
    now: () => from * 1000,
  })
  const signature = await key.sign(new TextEncoder().encode(answerText(facts, delegation)))
  return { delegation, signature: bytesToHex(signature) }
}
