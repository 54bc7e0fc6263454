import { beforeEach, describe, expect, it, vi } from 'vitest'
import { toBase64url } from '../encoding/base64url.ts'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { createVerifier } from './create-verifier.ts'
import { clock, forgeToken, NOW, validHeader } from './forge-token.test.helper.ts'
import type { TokenLimits } from './read-token.ts'

const verified = vi.hoisted(() => ({ signatures: 0 }))
vi.mock('node:crypto', async importOriginal => {
  const original = await importOriginal<typeof import('node:crypto')>()
  const verify = (...args: Parameters<typeof original.verify>) => {
    verified.signatures++
    return original.verify(...args)
  }
  return { ...original, verify }
})
beforeEach(() => {
  verified.signatures = 0
})

const oracle = createSigningKey()
const alice = createSigningKey()
const resource = `oracle:${oracle.did}`
const payload = (changes: Record<string, unknown> = {}) => ({
  iss: alice.did,
  aud: oracle.did,
  att: [{ with: resource, can: 'chat/send' }],
  exp: NOW + 300,
  nnc: 'one of a kind',
  prf: [],
  ...changes,
})
/** A token of alice to herself, so that it fits as a proof anywhere in her chains. */
const proof = (...prf: string[]) => forgeToken(alice, payload({ aud: alice.did, prf }))
const token = (...prf: string[]) => forgeToken(alice, payload({ prf }))

function verify(encoded: string, limits?: Partial<TokenLimits>) {
  const verifier = createVerifier({
    audience: [oracle.did],
    rootIssuers: () => ({ access: 'open' }),
    now: clock,
    limits,
  })
  return verifier.verify(encoded, { resource, ability: 'chat/send' })
}

async function expectRefusedUnverified(encoded: string, reason: string, limits?: Partial<TokenLimits>) {
  expect(await verify(encoded, limits)).toMatchObject({ ok: false, reason })
  expect(verified.signatures).toBe(0)
}

describe('limits', () => {
  it('let an honest chain through, with one verification for each signature', async () => {
    expect(await verify(await token(await proof(await proof()), await proof()))).toMatchObject({ ok: true })
    expect(verified.signatures).toBe(4)
  })

  it('refuse a token that fans out its proofs, with no signature verified', async () => {
    const small = await proof()
    await expectRefusedUnverified(await token(...Array(9).fill(small)), 'too_many_proofs')
    await expectRefusedUnverified(await token(...Array(28).fill('')), 'too_many_proofs')
    const three = await proof(small, small)
    await expectRefusedUnverified(await token(three, three, three), 'too_many_proofs')
    expect(await verify(await token(three, three))).toMatchObject({ ok: true })
  })

  it('refuse a token that nests its proofs too deep, with no signature verified', async () => {
    let nested = await proof()
    for (let depth = 2; depth <= 5; depth++) nested = await proof(nested)
    expect(await verify(await token(nested))).toMatchObject({ ok: true })
    verified.signatures = 0
    await expectRefusedUnverified(await token(await proof(nested)), 'too_deep')
  })

  it('refuse too many capabilities over all links, with no signature verified', async () => {
    const att = (count: number) => Array(count).fill({ with: resource, can: 'chat/send' })
    expect(await verify(await forgeToken(alice, payload({ att: att(64) })))).toMatchObject({ ok: true })
    verified.signatures = 0
    await expectRefusedUnverified(await forgeToken(alice, payload({ att: att(65) })), 'too_many_capabilities')
    const wide = await forgeToken(alice, payload({ aud: alice.did, att: att(40) }))
    const wider = await forgeToken(alice, payload({ att: att(25), prf: [wide] }))
    await expectRefusedUnverified(wider, 'too_many_capabilities')
  })

  it('refuse big tokens unread', async () => {
    const big = await forgeToken(alice, payload({ fct: [{ filling: 'x'.repeat(16_000) }] }))
    await expectRefusedUnverified(big, 'too_large')
    await expectRefusedUnverified('.'.repeat(10_000_000), 'too_large')
    expect(await verify(big, { maxBytes: 30_000 })).toMatchObject({ ok: true })
  })

  it('can be set', async () => {
    const once = await token(await proof())
    await expectRefusedUnverified(once, 'too_many_proofs', { maxProofs: 0 })
    await expectRefusedUnverified(once, 'too_deep', { maxDepth: 0 })
    await expectRefusedUnverified(once, 'too_many_capabilities', { maxCapabilities: 1 })
    await expectRefusedUnverified(once, 'too_large', { maxBytes: 100 })
  })

  it('keep the search for a root short, however many grants could lead there', async () => {
    const att = Array(10).fill({ with: resource, can: '*' })
    let nested = await forgeToken(alice, payload({ aud: alice.did, att }))
    for (let depth = 2; depth <= 5; depth++)
      nested = await forgeToken(alice, payload({ aud: alice.did, att, prf: [nested] }))
    const verifier = createVerifier({
      audience: [oracle.did],
      rootIssuers: () => ({ access: 'delegated', roots: [] }),
      now: clock,
      limits: { maxBytes: 100_000 },
    })
    expect(
      await verifier.verify(await forgeToken(alice, payload({ att, prf: [nested] })), {
        resource,
        ability: 'chat/send',
      }),
    ).toMatchObject({ reason: 'untrusted_root' })
  })
})

describe('form', () => {
  it.each([
    ['an extra segment', (valid: string) => `${valid}.x`],
    ['an empty extra segment', (valid: string) => `${valid}.`],
    ['a segment missing', (valid: string) => valid.slice(0, valid.lastIndexOf('.'))],
    ['nothing', () => ''],
    ['dots alone', () => '..'],
    ['a space before it', (valid: string) => ` ${valid}`],
    ['a line break after it', (valid: string) => `${valid}\n`],
    ['padding', (valid: string) => `${valid}==`],
    ['unused bits set in the signature', (valid: string) => valid.slice(0, -1) + nextCharacter(valid.at(-1)!)],
    ['a Bearer prefix', (valid: string) => `Bearer ${valid}`],
  ])('refuses a token with %s', async (_, spoil) => {
    await expectRefusedUnverified(spoil(await token()), 'malformed')
  })

  it('refuses what is not a text', async () => {
    for (const value of [undefined, null, 7, {}, [await token()]]) {
      await expectRefusedUnverified(value as unknown as string, 'malformed')
    }
  })

  it.each([
    ['alg none', { ...validHeader, alg: 'none' }, 'unsupported_algorithm'],
    ['alg RS256', { ...validHeader, alg: 'RS256' }, 'unsupported_algorithm'],
    ['alg in lower case', { ...validHeader, alg: 'eddsa' }, 'unsupported_algorithm'],
    ['another version', { ...validHeader, ucv: '0.9.1' }, 'unsupported_version'],
    ['the old version field', { alg: 'EdDSA', typ: 'JWT', uav: '1.0.0' }, 'malformed'],
    ['another type', { ...validHeader, typ: 'jwt' }, 'malformed'],
    ['a further field', { ...validHeader, kid: '1' }, 'malformed'],
    ['a crit field', { ...validHeader, crit: [] }, 'malformed'],
    ['__proto__', '{"alg":"EdDSA","typ":"JWT","ucv":"0.8.1","__proto__":{}}', 'malformed'],
    ['a field missing', { alg: 'EdDSA', typ: 'JWT' }, 'malformed'],
    ['a list', [validHeader], 'malformed'],
    ['null', null, 'malformed'],
    ['no JSON', '{', 'malformed'],
  ])('refuses a header with %s', async (_, header, reason) => {
    await expectRefusedUnverified(await forgeToken(alice, payload(), header), reason)
  })

  it.each([
    ['no JSON', '{'],
    ['a list', []],
    ['null', null],
    ['a text', '"payload"'],
    ['a byte order mark', `\uFEFF${JSON.stringify(payload())}`],
    ['att missing', payload({ att: undefined })],
    ['att an object', payload({ att: { with: resource, can: '*' } })],
    ['a capability as a text', payload({ att: ['chat/send'] })],
    ['a capability of null', payload({ att: [null] })],
    ['a capability taken apart', payload({ att: [{ with: { scheme: 'oracle', hierPart: 'x' }, can: '*' }] })],
    ['a resource without a scheme', payload({ att: [{ with: '*', can: '*' }] })],
    ['a broken ability', payload({ att: [{ with: resource, can: 'chat/*/send' }] })],
    ['prf missing', payload({ prf: undefined })],
    ['prf null', payload({ prf: null })],
    ['prf a text', payload({ prf: 'token' })],
    ['a proof of numbers', payload({ prf: [7] })],
    ['a proof that is no token', payload({ prf: ['a.b.c'] })],
    ['facts as an object', payload({ fct: {} })],
    ['a fact as a text', payload({ fct: ['fact'] })],
    [
      'facts nested deep',
      `${JSON.stringify(payload()).slice(0, -1)},"fct":[${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}]}`,
    ],
  ])('refuses a payload with %s', async (_, content) => {
    await expectRefusedUnverified(await forgeToken(alice, content), 'malformed')
  })

  it('refuses bytes that are not UTF-8', async () => {
    const [header] = (await token()).split('.')
    const bytes = Buffer.from(JSON.stringify(payload({ nnc: 'n\u00ff' })), 'latin1')
    const signedData = `${header}.${toBase64url(bytes)}`
    const signature = toBase64url(await alice.sign(new TextEncoder().encode(signedData)))
    await expectRefusedUnverified(`${signedData}.${signature}`, 'malformed')
  })

  it.each([
    ['iss', '"iss":"did:web:x",'],
    ['the same iss', `"iss":"${alice.did}",`],
    ['exp in escapes', '"\\u0065xp":1,'],
    ['att with escapes for all', '"\\u0061\\u0074\\u0074":[],'],
    ['__proto__', '"__proto__":1,"__proto__":{},'],
    ['a member that nobody reads', '"x":1,"x":2,'],
    ['a member of a fact', '"fct":[{"a":{"b":1,"b":2}}],'],
  ])('refuses a payload that repeats %s, unverified', async (_, members) => {
    const first = JSON.stringify(payload()).replace('{', `{${members}`)
    expect(JSON.parse(first)).toMatchObject({ iss: alice.did })
    await expectRefusedUnverified(await forgeToken(alice, first), 'malformed')
    const last = JSON.stringify(payload()).replace(/}$/, `,${members.slice(0, -1)}}`)
    await expectRefusedUnverified(await forgeToken(alice, last), 'malformed')
    const below = await forgeToken(alice, first.replace(`"aud":"${oracle.did}"`, `"aud":"${alice.did}"`))
    await expectRefusedUnverified(await token(below), 'malformed')
  })

  it('refuses a capability that repeats a member', async () => {
    const doubled = JSON.stringify(payload()).replace('{"with":', '{"can":"*","with":')
    await expectRefusedUnverified(await forgeToken(alice, doubled), 'malformed')
  })

  it.each(['"alg":"none","alg":"EdDSA"', '"alg":"EdDSA","\\u0061lg":"EdDSA"'])(
    'refuses a header with %s',
    async algorithms => {
      const header = `{${algorithms},"typ":"JWT","ucv":"0.8.1"}`
      await expectRefusedUnverified(await forgeToken(alice, payload(), header), 'malformed')
    },
  )

  it('is not impressed by __proto__', async () => {
    const inherited = JSON.stringify(payload({ exp: undefined })).replace('{', `{"__proto__":{"exp":${NOW + 300}},`)
    expect(await verify(await forgeToken(alice, inherited))).toMatchObject({ reason: 'expiry_missing' })
    const facts = JSON.stringify(payload()).replace('{', '{"fct":[{"__proto__":{"admin":true}}],')
    const verdict = await verify(await forgeToken(alice, facts))
    expect(verdict).toMatchObject({ ok: true })
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
    expect(verdict.ok && verdict.invocation.facts[0]?.admin).toBeUndefined()
  })

  it('never repeats the token in a refusal', async () => {
    const secret = await forgeToken(alice, payload({ exp: NOW - 1000, fct: [{ secret: 'hunter2' }] }))
    const shown = JSON.stringify(await verify(secret))
    expect(shown).not.toContain('hunter2')
    for (const segment of secret.split('.')) expect(shown).not.toContain(segment.slice(0, 12))
  })
})

/** The character whose six bits are one more: in the last place of a signature, it changes unused bits alone. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) + 1]!
}
