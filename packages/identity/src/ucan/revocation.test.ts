import { describe, expect, it } from 'vitest'
import { toBase64url } from '../encoding/base64url.ts'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { mintDelegation } from './mint.ts'
import { signRevocation, verifyRevocation } from './revocation.ts'
import { tokenHash } from './token-hash.ts'

const alice = createSigningKey()
const bob = createSigningKey()
const carol = createSigningKey()
const resource = 'https://calendar.example'

const toBob = await mintDelegation({ key: alice, audience: bob.did, resource, abilities: ['*'] })
const toCarol = await mintDelegation({ key: bob, audience: carol.did, resource, abilities: ['a/*'], proofs: [toBob] })

describe('a revocation', () => {
  it('holds when an issuer of the token or of a proof signed it', async () => {
    for (const key of [alice, bob]) {
      const verdict = verifyRevocation(await signRevocation(key, toCarol), toCarol)
      expect(verdict).toEqual({ ok: true, hash: tokenHash(toCarol), expiresAt: expect.any(Number) })
    }
  })

  it('holds for no one else, not even for whom the token was given to', async () => {
    expect(verifyRevocation(await signRevocation(carol, toCarol), toCarol)).toMatchObject({ reason: 'untrusted_root' })
    expect(verifyRevocation(await signRevocation(bob, toBob), toBob)).toMatchObject({ reason: 'untrusted_root' })
  })

  it('is valid only for the token that it names, and for its own signature', async () => {
    const genuine = await signRevocation(alice, toBob)
    expect(verifyRevocation(genuine, toCarol)).toMatchObject({ reason: 'malformed' })
    expect(verifyRevocation({ ...genuine, revoke: tokenHash(toCarol) }, toCarol)).toMatchObject({
      reason: 'bad_signature',
    })
    expect(verifyRevocation({ ...genuine, challenge: 'x' }, toBob)).toMatchObject({ reason: 'bad_signature' })
    expect(verifyRevocation({ ...genuine, challenge: `${genuine.challenge}=` }, toBob)).toMatchObject({
      reason: 'bad_signature',
    })
    const forged = toBase64url(await carol.sign(new TextEncoder().encode(`REVOKE:${tokenHash(toBob)}`)))
    expect(verifyRevocation({ ...genuine, challenge: forged }, toBob)).toMatchObject({ reason: 'bad_signature' })
    expect(verifyRevocation(genuine, 'x')).toMatchObject({ reason: 'malformed' })
    expect(verifyRevocation(genuine, 'x'.repeat(1_000_000))).toMatchObject({ reason: 'too_large' })
  })

  it('is not an invocation, and no invocation is one', async () => {
    const { challenge } = await signRevocation(alice, toBob)
    expect(challenge).not.toBe(toBob.split('.')[2])
    const verdict = verifyRevocation(
      { iss: alice.did, revoke: tokenHash(toBob), challenge: toBob.split('.')[2]! },
      toBob,
    )
    expect(verdict).toMatchObject({ reason: 'bad_signature' })
  })
})
