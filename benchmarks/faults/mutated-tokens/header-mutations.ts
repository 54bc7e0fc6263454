import { createHmac } from 'node:crypto'
import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'
import { forge, rightHeader, segment, withMember } from './forge.ts'
import type { Mutations } from './mutation.ts'

/** Members of the header and values that none of them may have. */
const wrongMembers: readonly (readonly [string, unknown])[] = [
  ...[
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    'HS256',
    'HS512',
    'RS256',
    'PS256',
    'ES256',
    'ES256K',
    'Ed25519',
    'Ed448',
    'eddsa',
    'EDDSA',
    'EdDSA ',
    'EdDSA\0',
    'ＥdDSA',
    null,
    0,
    true,
    ['EdDSA'],
    { EdDSA: 1 },
  ].map(alg => ['alg', alg] as const),
  ...['', 'jwt', 'JWS', 'JWT ', 'ucan/1.0', null, 1, ['JWT']].map(typ => ['typ', typ] as const),
  ...['', '0.8.0', '0.8.10', '0.8.1 ', '0.9.1', '0.10.0', '1.0.0-rc.1', '*', 0.8, null, ['0.8.1']].map(
    ucv => ['ucv', ucv] as const,
  ),
  ['crit', ['exp']],
  ['b64', false],
  ['zip', 'DEF'],
  ['cty', 'JWT'],
  ['kid', '../../../../dev/null'],
  ['jku', 'https://mallory.example/keys'],
  ['x5u', 'https://mallory.example/cert'],
]

const signer = (cast: Cast, random: Random) => random.pick(cast.good)

/** Mutations of the header, by the rightful signer and by others. */
export const headerMutations: Mutations = {
  wrongHeader(cast, random) {
    const { key, payload } = signer(cast, random)
    const [name, value] = random.pick(wrongMembers)
    return forge(key, payload, { ...rightHeader, [name]: value })
  },
  wrongHeaderUnsigned(cast, random) {
    const [, payload, signature] = signer(cast, random).token.split('.')
    const [name, value] = random.pick(wrongMembers)
    return `${segment({ ...rightHeader, [name]: value })}.${payload}.${random.pick([signature, ''])}`
  },
  keyInHeader(cast, random) {
    const { payload } = signer(cast, random)
    const { mallory } = cast.keys
    const x = Buffer.from(mallory.publicKey).toString('base64url')
    const jwk = { kty: 'OKP', crv: 'Ed25519', x }
    return forge(mallory, payload, {
      ...rightHeader,
      ...random.pick([{ jwk }, { kid: mallory.did }, { iss: mallory.did }]),
    })
  },
  publicKeyAsSecret(cast, random) {
    const { key, payload } = signer(cast, random)
    const secret = random.pick([Buffer.from(key.publicKey), Buffer.from(key.did), Buffer.alloc(0)])
    const [hash, alg] = random.pick([
      ['sha256', 'HS256'],
      ['sha512', 'HS512'],
      ['sha512', 'EdDSA'],
    ] as const)
    const signed = `${segment({ ...rightHeader, alg })}.${segment(payload)}`
    return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
  },
  missingMember(cast, random) {
    const { key, payload } = signer(cast, random)
    const { alg, typ, ucv } = rightHeader
    return forge(key, payload, random.pick([{ typ, ucv }, { alg, ucv }, { alg, typ }, {}, [], null, 'EdDSA', 1]))
  },
  memberTwice(cast, random) {
    const { key, payload } = signer(cast, random)
    const [name, value] = random.pick(wrongMembers)
    return forge(key, payload, withMember(rightHeader, name, JSON.stringify(value)))
  },
  memberTwiceUnsigned(cast, random) {
    const [, payload, signature] = signer(cast, random).token.split('.')
    const [name, value] = random.pick(wrongMembers)
    const text = `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(rightHeader).slice(1)}`
    return `${segment(text)}.${payload}.${signature}`
  },
  prototypeHeader(cast, random) {
    const { key, payload } = signer(cast, random)
    const name = random.pick(['__proto__', 'constructor', 'prototype', 'toString'])
    const text = random.pick([
      `{${JSON.stringify(name)}:${JSON.stringify(rightHeader)}}`,
      withMember({ typ: 'JWT', ucv: '0.8.1' }, name, '{"alg":"EdDSA"}'),
      withMember(rightHeader, name, '{"alg":"none"}'),
    ])
    return forge(key, payload, text)
  },
  brokenHeader(cast, random) {
    const { key, payload } = signer(cast, random)
    const text = JSON.stringify(rightHeader)
    const deep = '['.repeat(random.pick([100, 5_000]))
    return forge(
      key,
      payload,
      random.pick([text.slice(0, -1), `${text}x`, `\ufeff${text}`, `${text}${text}`, deep, '']),
    )
  },
}
