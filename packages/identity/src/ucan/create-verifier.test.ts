import { describe, expect, it, vi } from 'vitest'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { createVerifier, type VerifierOptions } from './create-verifier.ts'
import { clock, forgeToken, NOW, payloadOf } from './forge-token.test.helper.ts'
import { type MintRequest, mintDelegation, mintInvocation } from './mint.ts'
import type { AccessPolicy } from './proof-chain.ts'
import { tokenHash } from './token-hash.ts'

const oracle = createSigningKey()
const controller = createSigningKey()
const alice = createSigningKey()
const bob = createSigningKey()
const carol = createSigningKey()

const resource = `oracle:${oracle.did}`
const publicResource = 'oracle:did:web:oracle.example'
const required = { resource, ability: 'chat/send' }
const open: AccessPolicy = { access: 'open' }
const delegated: AccessPolicy = { access: 'delegated', roots: [oracle.did, controller.did] }

const base = { audience: oracle.did, resource, now: clock }
const invoke = (key: MintRequest['key'], abilities: string[], ...proofs: string[]) =>
  mintInvocation({ ...base, key, abilities, proofs })
const delegate = (key: MintRequest['key'], to: { did: string }, abilities: string[], ...proofs: string[]) =>
  mintDelegation({ ...base, key, audience: to.did, abilities, proofs })

/** The payload of an honest invocation by alice, with changes; undefined removes a field. */
const payload = (changes: Record<string, unknown> = {}) => ({
  iss: alice.did,
  aud: oracle.did,
  att: [{ with: resource, can: 'chat/send' }],
  exp: NOW + 300,
  nnc: 'one of a kind',
  prf: [],
  ...changes,
})

function verifierOf(policy: AccessPolicy, options: Partial<VerifierOptions> = {}) {
  return createVerifier({ audience: [oracle.did], rootIssuers: () => policy, now: clock, ...options })
}
const verify = (token: string, policy: AccessPolicy = open, options: Partial<VerifierOptions> = {}) =>
  verifierOf(policy, options).verify(token, required)

describe('an accepted token', () => {
  it('returns the actor, the issuer, the expiry and the hash', async () => {
    const token = await mintInvocation({
      ...base,
      key: alice,
      abilities: ['chat/*', 'session/read'],
      facts: [{ turn: 1 }],
    })
    expect(await verify(token)).toEqual({
      ok: true,
      invocation: {
        issuer: alice.did,
        actor: alice.did,
        rootIssuer: alice.did,
        holder: alice.did,
        audience: oracle.did,
        abilities: ['chat/*', 'session/read'],
        expiresAt: NOW + 300,
        acceptableFrom: NOW - 30 - 60,
        nonce: payloadOf(token).nnc,
        hash: tokenHash(token),
        facts: [{ turn: 1 }],
        links: [{ hash: tokenHash(token), issuer: alice.did, expiresAt: NOW + 300 }],
      },
    })
  })

  it('may be addressed to any name of the verifier and name the resource by any of its names', async () => {
    const token = await mintInvocation({
      ...base,
      key: alice,
      audience: 'did:web:oracle.example',
      resource: publicResource,
      abilities: ['chat/send'],
    })
    const audience = [oracle.did, 'did:web:oracle.example']
    const asked: string[] = []
    const rootIssuers = (name: string) => {
      asked.push(name)
      return open
    }
    const verifier = verifierOf(open, { audience, rootIssuers })
    expect(await verifier.verify(token, { resource: [resource, publicResource], ability: 'chat/send' })).toMatchObject({
      ok: true,
      invocation: { audience: 'did:web:oracle.example' },
    })
    expect(asked).toEqual([resource])
    expect(await verifier.verify(token, required)).toMatchObject({ reason: 'capability_missing' })
  })

  it('lists only the abilities that its chain really gives', async () => {
    const proof = await delegate(oracle, alice, ['chat/send', 'session/read'])
    const claims = ['*', 'chat/*', 'chat/send', 'session/read'].map(can => ({ with: resource, can }))
    const token = await forgeToken(alice, payload({ att: claims, prf: [proof] }))
    expect(await verify(token, delegated)).toMatchObject({ invocation: { abilities: ['chat/send', 'session/read'] } })
  })
})

describe('open access', () => {
  it('takes every DID that signs as its own root', async () => {
    for (const key of [alice, bob, oracle]) {
      expect(await verify(await invoke(key, ['chat/send']))).toMatchObject({
        ok: true,
        invocation: { rootIssuer: key.did },
      })
    }
  })

  it('follows a chain to its root when there is one', async () => {
    const proof = await delegate(bob, carol, ['chat/*'], await delegate(alice, bob, ['*']))
    expect(await verify(await invoke(carol, ['chat/send'], proof))).toMatchObject({
      ok: true,
      invocation: { issuer: carol.did, rootIssuer: alice.did },
    })
  })

  it('refuses a token whose proofs do not hold, though it would pass without them', async () => {
    const grant = await delegate(alice, bob, ['chat/send'])
    const broken = `${grant.slice(0, -20)}${'A'.repeat(19)}Q`
    expect(await verify(await invoke(bob, ['chat/send'], broken))).toMatchObject({ reason: 'bad_signature' })

    const weak = await delegate(alice, bob, ['session/read'])
    const escalated = await forgeToken(bob, payload({ iss: bob.did, prf: [weak] }))
    expect(await verify(escalated)).toMatchObject({ reason: 'capability_escalated' })
  })
})

describe.each([
  ['open', open],
  ['delegated', { access: 'delegated', roots: [controller.did] }],
] as const)('who acts, with %s access', (_, policy) => {
  const actorOf = async (token: string) => {
    const verdict = await verify(token, policy)
    return verdict.ok ? [verdict.invocation.actor, verdict.invocation.abilities] : verdict.reason
  }
  const asRoot = 'auth/impersonate'

  it.each([
    ['nothing of it', ['chat/*'], ['chat/*'], ['chat/send']],
    ['wildcards', ['*'], ['*'], ['*']],
    ['auth/*', ['chat/*', 'auth/*'], ['chat/*', 'auth/*'], ['chat/send', 'auth/*']],
    ['it in the invocation alone', ['*'], ['*'], ['chat/send', asRoot]],
    ['it nowhere but in the first link', ['*', asRoot], ['*'], ['*']],
    ['it not in the first link', ['*'], ['*', asRoot], ['*', asRoot]],
    ['it not in the second link', ['*', asRoot], ['*'], ['*', asRoot]],
    ['it not in the invocation', ['*', asRoot], ['*', asRoot], ['*']],
  ])('is the issuer where the chain names %s', async (_chain, first, second, invoked) => {
    const toBob = await delegate(controller, bob, first)
    const claims = (abilities: string[]) => abilities.map(can => ({ with: resource, can }))
    const toCarol = await forgeToken(
      bob,
      payload({ iss: bob.did, aud: carol.did, att: claims(second), prf: [toBob], nnc: undefined }),
    )
    const token = await forgeToken(carol, payload({ iss: carol.did, att: claims(invoked), prf: [toCarol] }))
    const [actor, abilities] = await actorOf(token)
    expect(actor).toBe(carol.did)
    expect(abilities).not.toContain(asRoot)
  })

  it('is the root where every link and the invocation name auth/impersonate', async () => {
    const toBob = await delegate(controller, bob, ['*', asRoot])
    const toCarol = await delegate(bob, carol, ['chat/*', asRoot], toBob)
    expect(await actorOf(await invoke(carol, ['chat/send', asRoot], toCarol))).toEqual([
      controller.did,
      ['chat/send', asRoot],
    ])
  })

  it('is the root only for what was granted together with it', async () => {
    const asController = await delegate(controller, carol, ['chat/*', asRoot])
    const asCarol = await delegate(bob, carol, ['session/*'], await delegate(controller, bob, ['session/*']))
    const both = [asCarol, asController]
    expect(await actorOf(await invoke(carol, ['session/read', 'chat/send', asRoot], ...both))).toEqual([
      controller.did,
      ['chat/send', asRoot],
    ])
    const session = { resource, ability: 'session/read' }
    const token = await invoke(carol, ['session/read', asRoot], ...both)
    const verdict = await verifierOf(policy).verify(token, session)
    expect(verdict).toMatchObject({ ok: true, invocation: { actor: carol.did } })
  })

  it('is the root if one of two grants of the same ability names it', async () => {
    const grants = [await delegate(controller, carol, ['*']), await delegate(controller, carol, ['chat/*', asRoot])]
    for (const proofs of [grants, grants.toReversed()]) {
      expect(await actorOf(await invoke(carol, ['chat/send', asRoot], ...proofs))).toEqual([
        controller.did,
        ['chat/send', asRoot],
      ])
    }
  })
})

it('mints no link that names auth/impersonate where its proof does not', async () => {
  const proof = await delegate(alice, bob, ['*'])
  await expect(delegate(bob, carol, ['auth/impersonate'], proof)).rejects.toMatchObject({
    code: 'mint_request_invalid',
    message: expect.stringContaining('auth/impersonate'),
  })
})

describe('delegated access', () => {
  it('takes the oracle and its controllers directly', async () => {
    for (const key of [oracle, controller]) {
      expect(await verify(await invoke(key, ['*']), delegated)).toMatchObject({
        ok: true,
        invocation: { rootIssuer: key.did },
      })
    }
  })

  it('takes chains that begin with one of them', async () => {
    const direct = await delegate(controller, alice, ['chat/*'])
    expect(await verify(await invoke(alice, ['chat/send'], direct), delegated)).toMatchObject({
      ok: true,
      invocation: { issuer: alice.did, rootIssuer: controller.did },
    })
    const onward = await delegate(bob, carol, ['chat/send'], await delegate(oracle, bob, ['*']))
    expect(await verify(await invoke(carol, ['chat/send'], onward), delegated)).toMatchObject({
      ok: true,
      invocation: { issuer: carol.did, rootIssuer: oracle.did },
    })
  })

  it('names the DID that a root authorized, however often the grant was delegated', async () => {
    const toBob = await delegate(controller, bob, ['*'])
    const toAlice = await delegate(carol, alice, ['*'], await delegate(bob, carol, ['*'], toBob))
    const holderOf = async (token: string, policy: AccessPolicy = delegated) => {
      const verdict = await verify(token, policy)
      return verdict.ok ? verdict.invocation.holder : verdict.reason
    }
    expect(await holderOf(await invoke(controller, ['*']))).toBe(controller.did)
    expect(await holderOf(await invoke(bob, ['*'], toBob))).toBe(bob.did)
    expect(await holderOf(await invoke(alice, ['*'], toAlice))).toBe(bob.did)
    expect(await holderOf(await invoke(alice, ['*'], toAlice), open)).toBe(controller.did)
  })

  it('refuses everybody else', async () => {
    expect(await verify(await invoke(alice, ['chat/send']), delegated)).toMatchObject({ reason: 'untrusted_root' })
    const selfMade = await delegate(bob, carol, ['chat/send'], await delegate(alice, bob, ['*']))
    expect(await verify(await invoke(carol, ['chat/send'], selfMade), delegated)).toMatchObject({
      reason: 'untrusted_root',
    })
  })

  it('refuses a link that passes on more than it was given, at any level', async () => {
    const given = await delegate(oracle, bob, ['session/read'])
    const passed = await forgeToken(bob, payload({ iss: bob.did, aud: carol.did, prf: [given] }))
    expect(await verify(await invoke(carol, ['chat/send'], passed), delegated)).toMatchObject({
      reason: 'capability_escalated',
      detail: expect.stringContaining('proof 1'),
    })
    const wider = await forgeToken(
      carol,
      payload({ iss: carol.did, att: [{ with: resource, can: '*' }], prf: [given] }),
    )
    expect(await verify(wider, delegated)).toMatchObject({ reason: 'proof_audience_mismatch' })
  })

  it('refuses a proof for another resource', async () => {
    const proof = await mintDelegation({
      ...base,
      key: oracle,
      audience: alice.did,
      resource: 'oracle:did:web:other',
      abilities: ['*'],
    })
    const token = await forgeToken(alice, payload({ prf: [proof] }))
    expect(await verify(token, delegated)).toMatchObject({ reason: 'capability_escalated' })
  })

  it('rejects a stolen proof, addressed to another DID', async () => {
    const proof = await delegate(oracle, alice, ['chat/send'])
    const token = await forgeToken(bob, payload({ iss: bob.did, prf: [proof] }))
    expect(await verify(token, delegated)).toMatchObject({ reason: 'proof_audience_mismatch' })
  })

  it('finds the one good proof among several, and wants the others to hold too', async () => {
    const useless = await delegate(bob, alice, ['session/read'])
    const good = await delegate(oracle, alice, ['chat/send'])
    const token = await forgeToken(alice, payload({ prf: [useless, good] }))
    expect(await verify(token, delegated)).toMatchObject({ ok: true, invocation: { rootIssuer: oracle.did } })
    const stale = await forgeToken(bob, payload({ iss: bob.did, aud: alice.did, exp: NOW - 100 }))
    const withStale = await forgeToken(alice, payload({ prf: [stale, good] }))
    expect(await verify(withStale, delegated)).toMatchObject({
      reason: 'expired',
      detail: expect.stringContaining('proof 1'),
    })
  })
})

describe('the required capability', () => {
  it.each([
    ['another ability', [{ with: resource, can: 'session/read' }]],
    ['a longer one', [{ with: resource, can: 'chat/send/all' }]],
    ['another resource', [{ with: publicResource, can: '*' }]],
    ['the resource in upper case', [{ with: resource.toUpperCase(), can: '*' }]],
    ['nothing', []],
  ])('is missing when the token claims %s', async (_, att) => {
    expect(await verify(await forgeToken(alice, payload({ att })))).toMatchObject({ reason: 'capability_missing' })
  })

  it.each(['my:*', 'MY:oracle', `as:${'did:key:z6Mk'}:*`, 'prf:*', 'prf:0'])(
    'is never read out of %s, which refuses the token',
    async forbidden => {
      const att = [
        { with: resource, can: 'chat/send' },
        { with: forbidden, can: '*' },
      ]
      expect(await verify(await forgeToken(alice, payload({ att })))).toMatchObject({ reason: 'forbidden_scheme' })
      const proof = await forgeToken(oracle, payload({ iss: oracle.did, aud: alice.did, att }))
      const token = await forgeToken(alice, payload({ prf: [proof] }))
      expect(await verify(token, delegated)).toMatchObject({ reason: 'forbidden_scheme' })
    },
  )
})

describe('times', () => {
  it.each([
    ['expired 59 s ago', { exp: NOW - 59 }, undefined],
    ['expired 60 s ago', { exp: NOW - 60 }, 'expired'],
    ['valid in 60 s', { nbf: NOW + 60 }, undefined],
    ['valid in 61 s', { nbf: NOW + 61 }, 'not_yet_valid'],
    ['of 960 s', { exp: NOW + 960 }, undefined],
    ['of 961 s', { exp: NOW + 961 }, 'lifetime_too_long'],
    ['of 961 s, most of it gone', { nbf: NOW - 900, exp: NOW + 61 }, 'lifetime_too_long'],
    ['of 1020 s, from 60 s ahead', { nbf: NOW + 60, exp: NOW + 1020 }, 'lifetime_too_long'],
    ['in milliseconds', { exp: (NOW + 300) * 1000 }, 'lifetime_too_long'],
    ['at the end of numbers', { exp: Number.MAX_SAFE_INTEGER }, 'lifetime_too_long'],
    ['beyond it', { exp: 2 ** 53 }, 'malformed'],
    ['at 1e400', JSON.stringify(payload()).replace(/"exp":\d+/, '"exp":1e400'), 'malformed'],
    ['at NaN', JSON.stringify(payload()).replace(/"exp":\d+/, '"exp":NaN'), 'malformed'],
    ['before 1970', { exp: -1 }, 'malformed'],
    ['at a fraction', { exp: NOW + 0.5 }, 'malformed'],
    ['as a text', { exp: String(NOW + 300) }, 'malformed'],
    ['as a list', { exp: [NOW + 300] }, 'malformed'],
    ['as true', { exp: true }, 'malformed'],
    ['as null', { exp: null }, 'expiry_missing'],
    ['never', { exp: undefined }, 'expiry_missing'],
    ['from a text on', { nbf: '0' }, 'malformed'],
    ['from null on', { nbf: null }, 'malformed'],
  ])('a token %s', async (_, changes, reason) => {
    const token = await forgeToken(alice, typeof changes === 'string' ? changes : payload(changes))
    expect(await verify(token)).toMatchObject(reason === undefined ? { ok: true } : { ok: false, reason })
  })

  const delegation = { iss: oracle.did, aud: alice.did }
  it.each([
    ['of 90 days', { exp: NOW + 90 * 86_400 }, undefined],
    ['with a start time', { nbf: NOW - 86_400, exp: NOW + 86_400 }, undefined],
    ['of 91 days', { exp: NOW + 91 * 86_400 }, 'lifetime_too_long'],
    ['expired', { exp: NOW - 60 }, 'expired'],
    ['not yet valid', { nbf: NOW + 61 }, 'not_yet_valid'],
    ['without an end', { exp: undefined }, 'expiry_missing'],
  ])('a proof %s', async (_, changes, reason) => {
    const proof = await forgeToken(oracle, payload({ ...delegation, ...changes }))
    const verdict = await verify(await forgeToken(alice, payload({ prf: [proof] })), delegated)
    expect(verdict).toMatchObject(
      reason === undefined ? { ok: true } : { ok: false, reason, detail: expect.stringContaining('proof 1') },
    )
  })

  it('can be judged by other rules', async () => {
    const rules = { skewSeconds: 0, maxLifetimeSeconds: 100, maxDelegationLifetimeSeconds: 200 }
    expect(await verify(await forgeToken(alice, payload({ exp: NOW })), open, rules)).toMatchObject({
      reason: 'expired',
    })
    expect(await verify(await forgeToken(alice, payload({ exp: NOW + 101 })), open, rules)).toMatchObject({
      reason: 'lifetime_too_long',
    })
    const proof = await forgeToken(oracle, payload({ ...delegation, exp: NOW + 201 }))
    const token = await forgeToken(alice, payload({ exp: NOW + 100, prf: [proof] }))
    expect(await verify(token, delegated, rules)).toMatchObject({ reason: 'lifetime_too_long' })
  })
})

describe('addresses and names', () => {
  it.each([
    ['somebody else', { aud: bob.did }, 'wrong_audience'],
    ['the oracle in upper case', { aud: oracle.did.toUpperCase() }, 'malformed'],
    ['nobody', { aud: undefined }, 'malformed'],
    ['a list', { aud: [oracle.did] }, 'malformed'],
  ])('a token addressed to %s is rejected', async (_, changes, reason) => {
    expect(await verify(await forgeToken(alice, payload(changes)))).toMatchObject({ reason })
  })

  it.each([
    ['is another method', 'did:web:example.org', 'unsupported_issuer'],
    ['is a key of another curve', 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme', 'unsupported_issuer'],
    ['has a fragment', `${alice.did}#key`, 'unsupported_issuer'],
    ['is no DID', 'alice', 'malformed'],
    ['is missing', undefined, 'malformed'],
  ])('an issuer that %s is rejected', async (_, iss, reason) => {
    expect(await verify(await forgeToken(alice, payload({ iss })))).toMatchObject({ reason })
  })

  it('a nonce is needed in the token, not in its proofs', async () => {
    expect(await verify(await forgeToken(alice, payload({ nnc: undefined })))).toMatchObject({
      reason: 'nonce_missing',
    })
    for (const nnc of ['', 7, null, 'n'.repeat(257)]) {
      expect(await verify(await forgeToken(alice, payload({ nnc })))).toMatchObject({ reason: 'malformed' })
    }
    const proof = await forgeToken(oracle, payload({ iss: oracle.did, aud: alice.did, nnc: undefined }))
    expect(await verify(await forgeToken(alice, payload({ prf: [proof] })), delegated)).toMatchObject({ ok: true })
  })
})

describe('signatures', () => {
  it('must be the issuer’s, over exactly these bytes', async () => {
    expect(await verify(await forgeToken(bob, payload()))).toMatchObject({ reason: 'bad_signature' })
    const [header, , signature] = (await forgeToken(alice, payload())).split('.')
    const other = (await forgeToken(alice, payload({ nnc: 'another' }))).split('.')[1]
    expect(await verify([header, other, signature].join('.'))).toMatchObject({ reason: 'bad_signature' })
    expect(await verify([header, other, ''].join('.'))).toMatchObject({ reason: 'bad_signature' })
  })

  it('of every proof must hold', async () => {
    const forged = await forgeToken(bob, payload({ iss: oracle.did, aud: alice.did }))
    expect(await verify(await forgeToken(alice, payload({ prf: [forged] })), delegated)).toMatchObject({
      reason: 'bad_signature',
      detail: expect.stringContaining('proof 1'),
    })
  })
})

describe('abilities of several roots', () => {
  it('are not mixed where access is open: what bob granted is not granted by alice', async () => {
    const ofAlice = await delegate(alice, carol, ['chat/send'])
    const ofBob = await delegate(bob, carol, ['session/*'])
    const token = await invoke(carol, ['chat/send', 'session/read'], ofAlice, ofBob)
    expect(await verify(token, open)).toMatchObject({
      invocation: { rootIssuer: alice.did, abilities: ['chat/send'] },
    })
  })

  it('add up where the owners of the resource granted them', async () => {
    const ofOracle = await delegate(oracle, carol, ['chat/send'])
    const ofController = await delegate(controller, carol, ['session/*'])
    const token = await invoke(carol, ['chat/send', 'session/read'], ofOracle, ofController)
    expect(await verify(token, delegated)).toMatchObject({
      invocation: { issuer: carol.did, abilities: ['chat/send', 'session/read'] },
    })
  })
})

describe('revocation', () => {
  it('is asked once for all links by the hash of its signed bytes', async () => {
    const first = await delegate(oracle, bob, ['*'])
    const second = await delegate(bob, carol, ['chat/*'], first)
    const token = await invoke(carol, ['chat/send'], second)
    const findRevoked = vi.fn((hashes: readonly string[]) => (hashes.length === 0 ? 'x' : undefined))
    await verify(token, delegated, { findRevoked })
    expect(findRevoked.mock.calls).toEqual([[[token, second, first].map(tokenHash)]])

    for (const [revoked, position] of [
      [token, 'token'],
      [second, 'proof 1'],
      [first, 'proof 1.1'],
    ] as const) {
      const findRevoked = async (hashes: readonly string[]) => hashes.find(hash => hash === tokenHash(revoked))
      expect(await verify(token, delegated, { findRevoked })).toEqual({
        ok: false,
        reason: 'revoked',
        detail: `The ${position} has been revoked.`,
      })
    }
  })

  it('is not called for unsigned tokens', async () => {
    const findRevoked = vi.fn(() => undefined)
    await verify(await forgeToken(bob, payload()), open, { findRevoked })
    expect(findRevoked).not.toHaveBeenCalled()
  })

  it('fails closed', async () => {
    const findRevoked = () => Promise.reject(new Error('the database is away'))
    await expect(verify(await invoke(alice, ['chat/send']), open, { findRevoked })).rejects.toThrow(
      'the database is away',
    )
  })

  it('names a token the same whatever its signature looks like', async () => {
    const token = await invoke(alice, ['chat/send'])
    expect(tokenHash(`${token.slice(0, token.lastIndexOf('.'))}.x`)).toBe(tokenHash(token))
    expect(tokenHash(`${token}.x`)).toBe(tokenHash(token))
  })
})
