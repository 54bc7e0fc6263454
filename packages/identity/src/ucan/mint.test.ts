import { describe, expect, it } from 'vitest'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { createVerifier } from './create-verifier.ts'
import { clock, NOW, payloadOf } from './forge-token.test.helper.ts'
import { type MintRequest, mintDelegation, mintInvocation } from './mint.ts'

const user = createSigningKey()
const oracle = createSigningKey()
const service = createSigningKey()
const resource = 'https://calendar.example/users/7'
const request: MintRequest = { key: oracle, audience: service.did, resource, abilities: ['event/create'], now: clock }

describe('mintInvocation', () => {
  it('writes version 0.8.1 with a nonce of 16 random bytes, valid from 30 s ago for 5 minutes', async () => {
    const token = await mintInvocation(request)
    expect(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'JWT',
      ucv: '0.8.1',
    })
    expect(payloadOf(token)).toEqual({
      iss: oracle.did,
      aud: service.did,
      att: [{ with: resource, can: 'event/create' }],
      exp: NOW + 300,
      nbf: NOW - 30,
      nnc: expect.stringMatching(/^[\w-]{22}$/),
      prf: [],
    })
  })

  it('never uses a nonce twice', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 200 }, async () => payloadOf(await mintInvocation(request)).nnc),
    )
    expect(new Set(nonces).size).toBe(200)
  })

  it('takes a list of capabilities, facts and a lifetime up to 900 s', async () => {
    const capabilities = [
      { resource, ability: 'event/*' },
      { resource: 'oracle:x', ability: '*' },
    ]
    const token = await mintInvocation({
      key: oracle,
      audience: 'did:web:calendar.example',
      capabilities,
      lifetimeSeconds: 900,
      facts: [{ note: 'grüße' }],
      now: clock,
    })
    expect(payloadOf(token)).toMatchObject({
      att: [
        { with: resource, can: 'event/*' },
        { with: 'oracle:x', can: '*' },
      ],
      exp: NOW + 900,
      fct: [{ note: 'grüße' }],
    })
  })

  it('uses the time of day when no clock is given', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { exp } = payloadOf(await mintInvocation({ ...request, now: undefined }))
    expect(exp).toBeGreaterThanOrEqual(before + 300)
    expect(exp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 300)
  })
})

describe('mintDelegation', () => {
  it('lasts 30 days, at most 90, and names no start', async () => {
    expect(payloadOf(await mintDelegation(request))).toMatchObject({ exp: NOW + 30 * 86_400, nnc: expect.any(String) })
    expect(payloadOf(await mintDelegation(request))).not.toHaveProperty('nbf')
    expect(payloadOf(await mintDelegation({ ...request, lifetimeSeconds: 90 * 86_400 }))).toMatchObject({
      exp: NOW + 90 * 86_400,
    })
  })
})

it('lets an oracle act for a user at a service downstream, and no further than the user allowed', async () => {
  const delegation = await mintDelegation({ ...request, key: user, audience: oracle.did, abilities: ['event/*'] })
  const token = await mintInvocation({ ...request, proofs: [delegation] })
  const verifier = createVerifier({
    audience: [service.did],
    rootIssuers: () => ({ access: 'delegated', roots: [user.did] }),
    now: clock,
  })
  expect(await verifier.verify(token, { resource, ability: 'event/create' })).toMatchObject({
    ok: true,
    invocation: { issuer: oracle.did, rootIssuer: user.did },
  })
  expect(await verifier.verify(token, { resource, ability: 'event/delete' })).toMatchObject({
    reason: 'capability_missing',
  })
  await expect(mintInvocation({ ...request, abilities: ['file/read'], proofs: [delegation] })).rejects.toThrow(
    'file/read',
  )
})

describe('what no verifier would accept is not minted', () => {
  const refused = (mint: typeof mintInvocation, changes: Partial<MintRequest>) =>
    mint({ ...request, ...changes } as MintRequest)

  it.each<[string, Partial<MintRequest>, string]>([
    ['no abilities', { abilities: [] }, 'capability_missing'],
    ['a broken ability', { abilities: ['create'] }, 'malformed'],
    ['a resource without a scheme', { resource: 'calendar' }, 'malformed'],
    ['the scheme my:', { resource: 'my:*' }, 'forbidden_scheme'],
    ['an audience that is no DID', { audience: 'calendar.example' }, 'malformed'],
    ['no time to live', { lifetimeSeconds: 0 }, 'expired'],
    ['less than none', { lifetimeSeconds: -5 }, 'expired'],
    ['a fraction of a second', { lifetimeSeconds: 0.5 }, 'malformed'],
    ['no number of seconds', { lifetimeSeconds: Number.NaN }, 'expiry_missing'],
    ['901 seconds', { lifetimeSeconds: 901 }, 'lifetime_too_long'],
    ['facts of 16 KB', { facts: [{ filling: 'x'.repeat(16_384) }] }, 'too_large'],
    ['a proof that is none', { proofs: ['a.b.c'] }, 'malformed'],
  ])('%s', async (_, changes, reason) => {
    await expect(refused(mintInvocation, changes)).rejects.toMatchObject({ code: 'mint_request_invalid', reason })
  })

  it('a delegation of 91 days', async () => {
    await expect(refused(mintDelegation, { lifetimeSeconds: 91 * 86_400 })).rejects.toMatchObject({
      reason: 'lifetime_too_long',
    })
  })

  it('a proof for another DID, or an expired one', async () => {
    const forService = await mintDelegation({ ...request, key: user, audience: service.did })
    await expect(refused(mintInvocation, { proofs: [forService] })).rejects.toMatchObject({
      reason: 'proof_audience_mismatch',
    })
    const brief = await mintDelegation({ ...request, key: user, audience: oracle.did, lifetimeSeconds: 1 })
    await expect(refused(mintInvocation, { proofs: [brief], now: () => clock() + 1000 })).rejects.toMatchObject({
      reason: 'expired',
    })
  })

  it('says why without a word of the proofs', async () => {
    const proof = await mintDelegation({ ...request, key: user, audience: service.did })
    const error = await refused(mintInvocation, { proofs: [proof] }).catch((caught: Error) => caught)
    expect(String(error)).not.toContain(proof.slice(-20))
  })
})
