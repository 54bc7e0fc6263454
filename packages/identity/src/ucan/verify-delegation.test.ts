import { describe, expect, it } from 'vitest'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { createVerifier } from './create-verifier.ts'
import { clock, forgeToken, NOW } from './forge-token.test.helper.ts'
import { mintDelegation } from './mint.ts'
import { tokenHash } from './token-hash.ts'

const oracle = createSigningKey()
const alice = createSigningKey()
const bob = createSigningKey()
const calendar = 'https://calendar.example/users/7'

const delegate = (key = alice, audience = oracle.did, abilities = ['event/*'], ...proofs: string[]) =>
  mintDelegation({ key, audience, resource: calendar, abilities, proofs, now: clock })

const verify = (token: string, findRevoked?: (hashes: readonly string[]) => string | undefined) =>
  createVerifier({
    audience: [oracle.did, 'did:web:oracle.example'],
    rootIssuers: () => ({ access: 'delegated', roots: [] }),
    now: clock,
    ...(findRevoked ? { findRevoked } : {}),
  }).verifyDelegation(token, oracle.did)

describe('verifyDelegation', () => {
  it('returns what a delegation grants, by whom and how long', async () => {
    const toBob = await mintDelegation({
      key: alice,
      audience: bob.did,
      resource: calendar,
      abilities: ['*'],
      lifetimeSeconds: 60,
      now: clock,
    })
    const token = await delegate(bob, oracle.did, ['event/*'], toBob)
    expect(await verify(token)).toEqual({
      ok: true,
      delegation: {
        issuer: bob.did,
        audience: oracle.did,
        roots: [alice.did],
        capabilities: [{ resource: calendar, ability: 'event/*' }],
        expiresAt: NOW + 60,
        hash: tokenHash(token),
        links: [
          { hash: tokenHash(token), issuer: bob.did, expiresAt: NOW + 2_592_000 },
          { hash: tokenHash(toBob), issuer: alice.did, expiresAt: NOW + 60 },
        ],
      },
    })
  })

  it('refuses what does not hold', async () => {
    const escalated = (proof: string) => ({
      iss: bob.did,
      aud: oracle.did,
      att: [{ with: calendar, can: 'event/delete' }],
      exp: NOW + 60,
      prf: [proof],
    })
    const reading = await delegate(alice, bob.did, ['event/read'])
    const plain = { iss: alice.did, aud: oracle.did, att: [], exp: NOW + 60, prf: [] }
    const asked = { ...plain, att: [{ with: calendar, can: 'event/read' }] }
    for (const [token, reason] of [
      ['x', 'malformed'],
      [`${await delegate()}.x`, 'malformed'],
      ['x'.repeat(1_000_000), 'too_large'],
      [await delegate(alice, bob.did), 'wrong_audience'],
      [await delegate(alice, 'did:web:oracle.example'), 'wrong_audience'],
      [await forgeToken(bob, escalated(reading)), 'capability_escalated'],
      [await forgeToken(bob, escalated(await delegate(alice, oracle.did))), 'proof_audience_mismatch'],
      [await forgeToken(alice, plain), 'capability_missing'],
      [await forgeToken(bob, asked), 'bad_signature'],
      [await forgeToken(alice, { ...asked, exp: NOW - 61 }), 'expired'],
      [await forgeToken(alice, { ...asked, exp: NOW + 91 * 86_400 }), 'lifetime_too_long'],
      [await forgeToken(alice, { ...asked, iss: 'did:web:alice.example' }), 'unsupported_issuer'],
      [await forgeToken(alice, { ...asked, att: [{ with: 'my:*', can: '*' }] }), 'forbidden_scheme'],
    ] as const) {
      expect(await verify(token)).toMatchObject({ ok: false, reason })
    }
  })

  it('refuses a chain with a revoked link', async () => {
    const toBob = await delegate(alice, bob.did)
    const token = await delegate(bob, oracle.did, ['event/read'], toBob)
    expect(await verify(token, hashes => hashes.find(hash => hash === tokenHash(toBob)))).toEqual({
      ok: false,
      reason: 'revoked',
      detail: 'The proof 1 has been revoked.',
    })
  })
})
