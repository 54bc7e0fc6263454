import { gzipSync } from 'node:zlib'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { expect, test } from 'vitest'
import { earlierContext } from '../contexts/known-contexts.ts'
import { credentials } from '../credentials.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { openFixture } from '../testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from '../testing/foreign-issuer.test.helper.ts'
import { didJwk, didKey, hmacOf, jwkOf, jwtOf, type keyPairs } from '../testing/jwt-issuer.test.helper.ts'

type KeyName = keyof typeof keyPairs

const statusContext = 'https://w3id.org/vc/status-list/2021/v1'
const subject = { id: 'did:web:somebody.example', level: 3 }
const payloadOf = (iss: string, more: object = {}) => ({
  iss,
  nbf: 1_767_225_600,
  vc: {
    '@context': [earlierContext, statusContext],
    type: ['VerifiableCredential'],
    credentialSubject: subject,
    ...more,
  },
})

/** An oracle that reaches some documents by https. */
const open = async (documents: ReadonlyMap<string, string> = new Map()) => {
  const fetch: GuardedFetch = async given => {
    const url = String(given)
    const text = documents.get(url)
    const body = new Uint8Array(Buffer.from(text ?? ''))
    return { url, status: text === undefined ? 404 : 200, headers: new Headers(), body, isComplete: true } as never
  }
  const fixture = await openFixture({ plugins: [credentials({ fetch })] })
  const violationsIn = async (credential: string) => (await fixture.verify({ credential })).faults
  return { violationsIn, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

const pairs = { EdDSA: 'Ed25519', ES256: 'P-256', ES256K: 'secp256k1', RS256: 'RSA', PS256: 'RSA' } as const
type Algorithm = keyof typeof pairs
const algorithms = Object.entries(pairs) as [Algorithm, KeyName][]

test.each(algorithms)(
  'a JWT with %s by a key of its kind is verified, and rejected once changed',
  async (alg, name) => {
    const web = 'did:web:issuer.example'
    const method = { id: '#k', type: 'JsonWebKey', controller: web, publicKeyJwk: jwkOf(name) }
    const document = { id: web, verificationMethod: [method], assertionMethod: ['#k'] }
    await using oracle = await open(
      new Map([['https://issuer.example/.well-known/did.json', JSON.stringify(document)]]),
    )
    const elliptic = name === 'P-256' || name === 'secp256k1' ? [didKey(name)] : []
    for (const did of [didJwk(name), web, ...elliptic]) {
      const jwt = jwtOf(alg, name, payloadOf(did))
      expect(await oracle.violationsIn(jwt), did).toEqual({})
      const [head, , signature = ''] = jwt.split('.')
      const changed = Buffer.from(JSON.stringify(payloadOf(did, { type: ['VerifiableCredential', 'Other'] })))
      const mismatch = { signature: expect.stringContaining('does not match') }
      expect(await oracle.violationsIn(`${head}.${changed.toString('base64url')}.${signature}`)).toEqual(mismatch)
      const signed = jwt.slice(0, jwt.lastIndexOf('.'))
      for (const other of ['AA', signature.slice(0, -4), `${signature}AAAA`, Buffer.alloc(64).toString('base64url')])
        expect(await oracle.violationsIn(`${signed}.${other}`)).toEqual(mismatch)
    }
  },
)

test('the key of an issuer signs with the algorithms of its kind alone', async () => {
  await using oracle = await open()
  for (const [alg, own] of algorithms) {
    for (const name of new Set(Object.values(pairs))) {
      if (name === own) continue
      const as = algorithms.find(([, one]) => one === name)?.[0]
      const violations = await oracle.violationsIn(jwtOf(alg, name, payloadOf(didJwk(name)), as))
      expect(violations, `${alg} by ${name}`).toEqual({ key: `${alg} needs a usable key of the kind ${own}` })
    }
  }
  const padding = await oracle.violationsIn(jwtOf('PS256', 'RSA', payloadOf(didJwk('RSA')), 'RS256'))
  expect(padding).toEqual({ signature: expect.any(String) })
})

test('other algorithms are rejected, none and HMAC with a public key among them', async () => {
  await using oracle = await open()
  const others = [
    hmacOf('RSA', payloadOf(didJwk('RSA'))),
    jwtOf('none', 'RSA', payloadOf(didJwk('RSA'))),
    jwtOf('RS1', 'RSA', payloadOf(didJwk('RSA'))),
    jwtOf('ES384', 'P-384', payloadOf(didJwk('P-384'))),
    jwtOf('ES256K-R', 'secp256k1', payloadOf(didJwk('secp256k1')), 'ES256K'),
    jwtOf('toString', 'RSA', payloadOf(didJwk('RSA')), 'RS256'),
  ]
  for (const jwt of others)
    expect(await oracle.violationsIn(jwt)).toEqual({ structure: expect.stringContaining('is not one of EdDSA,') })
})

test.each([
  ['RSA of 1024 bits', didJwk('RSA of 1024 bits')],
  ['RSA with exponent 3', didJwk('RSA with exponent 3')],
  ['RSA', didJwk('RSA', { use: 'enc' })],
  ['P-256', didJwk('P-256', { y: jwkOf('P-256').x })],
  ['P-256', didKey('P-256').slice(0, -3)],
  ['P-256', 'did:jwk:e30'],
  ['P-256', 'did:jwk:_'],
] as const)('a key %s that is weak, invalid or not for signatures is not resolved: %s', async (name, did) => {
  await using oracle = await open()
  const violations = await oracle.violationsIn(jwtOf(name === 'P-256' ? 'ES256' : 'RS256', name, payloadOf(did)))
  expect(violations).toEqual({ issuer: expect.any(String) })
})

test('a key that is not Ed25519 makes no Data Integrity proof', async () => {
  await using fixture = await openFixture()
  const did = didKey('P-256')
  const issuer = foreignIssuer()
  const { proof: _, ...document } = await issuer.issue({ issuer: did })
  const proof = await issuer.prove(document, { verificationMethod: `${did}#${did.slice('did:key:'.length)}` })
  expect((await fixture.verify({ ...document, proof })).faults.key).toContain('is not an Ed25519 Multikey')
  const other = { ...proof, cryptosuite: 'ecdsa-jcs-2019' }
  expect((await fixture.verify({ ...document, proof: other })).faults.proof).toContain('eddsa-jcs-2022')
})

/** A list of Status List 2021 with one place set. */
const listOf = (place: number, encoding: 'base64' | 'base64url') => {
  const bytes = new Uint8Array(16_384)
  bytes[place >> 3]! |= 0x80 >> (place & 7)
  return gzipSync(bytes).toString(encoding)
}

test.each(['base64', 'base64url'] as const)(
  'a status of Status List 2021 in %s is read, also from a JWT',
  async encoding => {
    const url = 'https://issuer.example/status/1'
    const did = didKey('P-256')
    const list = (given: JsonObject, iss = did, name: 'P-256' | 'secp256k1' = 'P-256') =>
      jwtOf(name === 'P-256' ? 'ES256' : 'ES256K', name, {
        ...payloadOf(iss, {
          type: ['VerifiableCredential', 'StatusList2021Credential'],
          credentialSubject: { id: `${url}#list`, type: 'StatusList2021', statusPurpose: 'revocation', ...given },
        }),
        jti: url,
      })
    const documents = new Map([[url, list({ encodedList: listOf(77, encoding) })]])
    await using oracle = await open(documents)
    const statusOf = async (place: number, more: object = {}) => {
      const entry = { id: `${url}#${place}`, type: 'StatusList2021Entry', statusPurpose: 'revocation' }
      const credentialStatus = { ...entry, statusListIndex: String(place), statusListCredential: url, ...more }
      return (await oracle.violationsIn(jwtOf('ES256', 'P-256', payloadOf(did, { credentialStatus })))).status
    }
    expect([await statusOf(76), await statusOf(77)]).toEqual([undefined, 'it was revoked'])
    expect(await statusOf(76, { statusPurpose: 'suspension' })).toContain('has another purpose')
    expect(await statusOf(200_000)).toContain('has no position')
    expect(await statusOf(76, { type: 'RevocationList2020Status' })).toContain('is not a valid')
    documents.set(url, list({ encodedList: listOf(77, encoding) }, didKey('secp256k1'), 'secp256k1'))
    expect(await statusOf(76)).toContain('belongs to another issuer')
    documents.set(url, list({ encodedList: 'H4sIAAAA' }))
    expect(await statusOf(76)).toContain('cannot be decompressed')
    documents.set(url, `${list({ encodedList: listOf(1, encoding) }).slice(0, -4)}AAAA`)
    expect(await statusOf(76)).toContain('the status list itself is invalid: signature')
  },
)
