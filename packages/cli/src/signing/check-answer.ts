import { createVerifier, verifySignature } from '@sibyl/identity'
import { answerText, resourceOf, type SigningFacts, statementOf } from './signing-protocol.ts'
import type { AnswerCheck } from './signing-session.ts'

/**
 * Makes the check of what a phone sends back: that its key signed this challenge and this UCAN, and that the UCAN says what
 * was asked for and nothing else.
 *
 * @param now The clock, milliseconds since 1970.
 */
export const answerCheck = (facts: SigningFacts, now: () => number = Date.now): AnswerCheck => {
  const verifier = createVerifier({ audience: [], rootIssuers: () => ({ access: 'open' }), now })
  return async ({ delegation, signature }, did) => {
    const signed = Buffer.from(signature, 'hex')
    if (!verifySignature(did, Buffer.from(answerText(facts, delegation)), signed)) {
      return 'The challenge is not signed by the key that the phone named.'
    }
    const verdict = await verifier.verifyDelegation(delegation, facts.audience)
    if (!verdict.ok) return `${verdict.detail} (${verdict.reason})`
    const { issuer, capabilities, expiresAt, links } = verdict.delegation
    if (issuer !== did) return 'The delegation is signed by another key.'
    if (links.length !== 1) return 'The delegation rests on others.'
    const wanted = facts.abilities.map(ability => ({ resource: resourceOf(facts), ability }))
    if (!isSame(capabilities, wanted)) return 'The delegation allows something else than was asked for.'
    if (expiresAt !== facts.until) return 'The delegation ends at another time than was asked for.'
    if (!isSame(factsIn(delegation), [statementOf(facts)])) return 'The delegation states something else.'
    return { did, delegation, expiresAt }
  }
}

/** What a genuine UCAN states beside its capabilities. */
const factsIn = (delegation: string): unknown =>
  JSON.parse(Buffer.from(delegation.split('.')[1] ?? '', 'base64url').toString()).fct

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
