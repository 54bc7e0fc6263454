import { expect, it } from 'vitest'
import { signingKeyFromSecret } from '../keys/node-signing-key.ts'
import { createVerifier } from './create-verifier.ts'
import { clock, payloadOf } from './forge-token.test.helper.ts'
import { mintDelegation, mintInvocation } from './mint.ts'

const MUTATIONS = 6_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0é'

const [oracle, alice, bob] = [1, 2, 3].map(seed => signingKeyFromSecret(new Uint8Array(32).fill(seed)))
const resource = `oracle:${oracle!.did}`
const request = { resource, now: clock }

const proof = await mintDelegation({ ...request, key: oracle!, audience: alice!.did, abilities: ['chat/*'] })
const token = await mintInvocation({
  ...request,
  key: alice!,
  audience: oracle!.did,
  abilities: ['chat/send'],
  proofs: [proof],
})
const other = await mintInvocation({ ...request, key: bob!, audience: oracle!.did, abilities: ['*'] })

it(`accepts a token, and none of ${MUTATIONS} mutations of it`, async () => {
  const verifier = createVerifier({
    audience: [oracle!.did],
    rootIssuers: () => ({ access: 'delegated', roots: [oracle!.did] }),
    now: clock,
  })
  const accepts = async (candidate: string) => (await verifier.verify(candidate, { resource, ability: 'chat/send' })).ok
  expect(await accepts(token)).toBe(true)

  const random = seededRandom(20_261_121)
  const reasons = new Map<string, number>()
  let tried = 0
  while (tried < MUTATIONS) {
    const mutate = mutations[random(mutations.length)]!
    const candidate = mutate(token, random)
    if (candidate === token) continue
    tried++
    const verdict = await verifier.verify(candidate, { resource, ability: 'chat/send' })
    expect(verdict.ok, `${mutate.name}: ${candidate}`).toBe(false)
    if (!verdict.ok) reasons.set(verdict.reason, (reasons.get(verdict.reason) ?? 0) + 1)
  }
  // The mutations reach past the decoder: to signatures, times, addresses and rights.
  for (const reason of [
    'malformed',
    'bad_signature',
    'expired',
    'wrong_audience',
    'proof_audience_mismatch',
    'untrusted_root',
    'capability_missing',
  ]) {
    expect(reasons.get(reason) ?? 0, reason).toBeGreaterThan(0)
  }
})

type Random = (below: number) => number
type Mutation = (token: string, random: Random) => string

const mutations: Mutation[] = [
  function replaceCharacter(text, random) {
    const at = random(text.length)
    return text.slice(0, at) + ALPHABET[random(ALPHABET.length)] + text.slice(at + 1)
  },
  function insertCharacter(text, random) {
    const at = random(text.length + 1)
    return text.slice(0, at) + ALPHABET[random(ALPHABET.length)] + text.slice(at)
  },
  function removeCharacters(text, random) {
    const at = random(text.length)
    return text.slice(0, at) + text.slice(at + 1 + random(4))
  },
  function truncate(text, random) {
    return text.slice(0, random(text.length))
  },
  function repeatPart(text, random) {
    const at = random(text.length)
    return text.slice(0, at) + text.slice(Math.max(0, at - random(40)))
  },
  function flipBit(text, random) {
    const segments = text.split('.')
    const segment = random(segments.length)
    const bytes = Buffer.from(segments[segment]!, 'base64url')
    bytes[random(bytes.length)]! ^= 1 << random(8)
    segments[segment] = bytes.toString('base64url')
    return segments.join('.')
  },
  function mixSegments(text, random) {
    const pool = [text, other, proof].flatMap(it => it.split('.'))
    return Array.from({ length: 3 }, () => pool[random(pool.length)]).join('.')
  },
  function rewriteField(text, random) {
    const [header, , signature] = text.split('.')
    const payload = payloadOf(text)
    const fields = Object.keys(payload)
    const values = [
      null,
      0,
      -1,
      1e15,
      '',
      '*',
      true,
      [],
      {},
      oracle!.did,
      bob!.did,
      [proof],
      [other],
      [proof, proof],
      payload.exp,
      payload.nbf,
      2e9,
      [{ with: resource, can: '*' }],
      [{ with: resource, can: 'session/read' }],
      [{ with: 'my:*', can: '*' }],
    ]
    payload[fields[random(fields.length)]!] = values[random(values.length)]
    return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  },
  function rewriteProof(text, random) {
    const [header, , signature] = text.split('.')
    const payload = payloadOf(text)
    payload.prf = [mutations[random(mutations.length - 1)]!(proof, random)]
    return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  },
]

/** A small generator (mulberry32), so that every run tries the same mutations. */
function seededRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
