import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { toBase64url } from '../encoding/base64url.ts'
import { signingKeyFromSecret } from '../keys/node-signing-key.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { createVerifier } from './create-verifier.ts'
import { forgeToken, malleable, payloadOf } from './forge-token.test.helper.ts'
import { mintDelegation, mintInvocation } from './mint.ts'

// The ESM build of ucans 0.10.0 cannot be imported.
const ucans: typeof import('ucans') = createRequire(import.meta.url)('ucans')

const [oracle, alice, bob] = [1, 2, 3].map(seed => signingKeyFromSecret(new Uint8Array(32).fill(seed))) as [
  SigningKey,
  SigningKey,
  SigningKey,
]
const resource = `oracle:${oracle.did}`
const now = () => Math.floor(Date.now() / 1000)

/** The same key for ucans, whose secret is our secret followed by the public key. */
const keypair = (key: SigningKey) =>
  ucans.EdKeypair.fromSecretKey(Buffer.concat([key.exportSecret(), key.publicKey]).toString('base64'))
const capability = (ability: string) => ucans.capability.parse({ with: resource, can: ability })

async function theirVerdict(
  token: string,
  rootIssuer: string,
  ability = 'chat/send',
  audience = oracle.did,
): Promise<boolean> {
  const requiredCapabilities = [{ capability: capability(ability), rootIssuer }]
  return (await ucans.verify(token, { audience, requiredCapabilities })).ok
}

async function ourVerdict(token: string, rootIssuer: string, ability = 'chat/send', audience = oracle.did) {
  const verifier = createVerifier({
    audience: [audience],
    rootIssuers: () => ({ access: 'delegated', roots: [rootIssuer] }),
  })
  const verdict = await verifier.verify(token, { resource, ability })
  return verdict.ok ? 'ok' : verdict.reason
}

type Build = Parameters<typeof ucans.build>[0]
const theirToken = async (from: SigningKey, to: SigningKey, changes: Partial<Build> = {}) =>
  ucans.encode(
    await ucans.build({
      issuer: keypair(from),
      audience: to.did,
      capabilities: [capability('chat/send')],
      lifetimeInSeconds: 300,
      addNonce: true,
      ...changes,
    }),
  )

describe('tokens minted by Sibyl, judged by ucans', () => {
  const ours = (key: SigningKey, ...proofs: string[]) =>
    mintInvocation({ key, audience: oracle.did, resource, abilities: ['chat/send'], proofs })

  it('agrees on the DID of a key', () => {
    for (const key of [oracle, alice, bob]) expect(keypair(key).did()).toBe(key.did)
  })

  it('are valid, alone and at the end of a chain', async () => {
    expect(await theirVerdict(await ours(alice), alice.did)).toBe(true)
    const first = await mintDelegation({ key: oracle, audience: alice.did, resource, abilities: ['*'] })
    const second = await mintDelegation({
      key: alice,
      audience: bob.did,
      resource,
      abilities: ['chat/send'],
      proofs: [first],
    })
    expect(await theirVerdict(await ours(bob, second), oracle.did)).toBe(true)
  })

  it('are invalid for another audience, root or ability, and when changed', async () => {
    const token = await ours(alice)
    expect(await theirVerdict(token, alice.did, 'chat/send', bob.did)).toBe(false)
    expect(await theirVerdict(token, bob.did)).toBe(false)
    expect(await theirVerdict(token, alice.did, 'session/read')).toBe(false)
    const [header, , signature] = token.split('.')
    expect(await theirVerdict([header, (await ours(alice)).split('.')[1], signature].join('.'), alice.did)).toBe(false)
  })
})

describe('tokens minted by ucans, judged by Sibyl', () => {
  it('are valid, alone and at the end of a chain', async () => {
    expect(await ourVerdict(await theirToken(alice, oracle), alice.did)).toBe('ok')
    expect(await ourVerdict(await theirToken(alice, oracle, { capabilities: [capability('*')] }), alice.did)).toBe('ok')
    const first = await theirToken(oracle, alice, { capabilities: [capability('*')], lifetimeInSeconds: 86_400 })
    const second = await theirToken(alice, bob, { proofs: [first] })
    expect(await ourVerdict(await theirToken(bob, oracle, { proofs: [second] }), oracle.did)).toBe('ok')
  })

  it('may grow out of ours, and ours out of theirs', async () => {
    const ourGrant = await mintDelegation({ key: oracle, audience: alice.did, resource, abilities: ['chat/*'] })
    expect(await ourVerdict(await theirToken(alice, oracle, { proofs: [ourGrant] }), oracle.did)).toBe('ok')
    const proofs = [await theirToken(oracle, alice)]
    const token = await mintInvocation({ key: alice, audience: oracle.did, resource, abilities: ['chat/send'], proofs })
    expect(await ourVerdict(token, oracle.did)).toBe('ok')
    expect(await theirVerdict(token, oracle.did)).toBe(true)
  })

  it('are rejected if ucans rejects them too', async () => {
    const past = await theirToken(alice, oracle, { expiration: now() - 100 })
    const future = await theirToken(alice, oracle, { notBefore: now() + 100 })
    const plain = await theirToken(alice, oracle)
    const stolen = await theirToken(bob, oracle, { proofs: [await theirToken(oracle, alice)] })
    const wider = await theirToken(bob, oracle, {
      proofs: [await theirToken(oracle, bob, { capabilities: [capability('session/read')] })],
    })
    const cases: [string, string, string, string][] = [
      [past, alice.did, oracle.did, 'expired'],
      [future, alice.did, oracle.did, 'not_yet_valid'],
      [plain, alice.did, bob.did, 'wrong_audience'],
      [plain, bob.did, oracle.did, 'untrusted_root'],
      [stolen, oracle.did, oracle.did, 'proof_audience_mismatch'],
      [wider, oracle.did, oracle.did, 'capability_escalated'],
      [await forgeToken(bob, payloadOf(plain)), alice.did, oracle.did, 'bad_signature'],
    ]
    for (const [token, root, audience, reason] of cases) {
      expect(await theirVerdict(token, root, 'chat/send', audience)).toBe(false)
      expect(await ourVerdict(token, root, 'chat/send', audience)).toBe(reason)
    }
  })

  it('are rejected where ucans is too permissive', async () => {
    const token = await theirToken(alice, oracle)
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const otherSignature = toBase64url(malleable(Buffer.from(signature, 'base64url')))
    const everything = { with: { scheme: 'my', hierPart: '*' }, can: '*' } as ReturnType<typeof capability>
    const cases: [string, string][] = [
      [`${header}.${payload}.${otherSignature}`, 'bad_signature'],
      [`${token}.x`, 'malformed'],
      [await theirToken(alice, oracle, { expiration: (now() + 300) * 1000 }), 'lifetime_too_long'],
      [await theirToken(alice, oracle, { addNonce: false }), 'nonce_missing'],
      [await theirToken(alice, oracle, { capabilities: [everything] }), 'forbidden_scheme'],
    ]
    for (const [trusted, reason] of cases) {
      expect(await theirVerdict(trusted, alice.did)).toBe(true)
      expect(await ourVerdict(trusted, alice.did)).toBe(reason)
    }
  })

  it('may have proofs with a start time, which ucans itself refuses', async () => {
    const proof = await theirToken(oracle, alice, { notBefore: now() - 30 })
    const token = await theirToken(alice, oracle, { proofs: [proof] })
    expect(await theirVerdict(token, oracle.did)).toBe(false)
    expect(await ourVerdict(token, oracle.did)).toBe('ok')
  })
})
