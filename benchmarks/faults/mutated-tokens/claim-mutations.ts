import type { Random } from '../frame/random.ts'
import type { Cast, GoodToken } from './cast.ts'
import { forge, withMember } from './forge.ts'
import type { Mutations } from './mutation.ts'

/** A member of the payload and values, as JSON text, that it must not have. */
type WrongValues = (cast: Cast, random: Random, good: GoodToken) => readonly (readonly [string, string])[]

const texts = (name: string, values: readonly unknown[]) => values.map(value => [name, JSON.stringify(value)] as const)
const raw = (name: string, values: readonly string[]) => values.map(value => [name, value] as const)

const wrongTypes = ['null', 'true', '[]', '{}', '"x"', '-1', '1.5', '1e400', '"\\u0000"', '[null]', '{"valueOf":1}']

const wrongTimes: WrongValues = ({ now }) => [
  ...raw('exp', wrongTypes),
  ...texts('exp', [0, 1, now - 61, now - 3_600, now + 962, now + 86_400, now * 1_000, 2 ** 53, Number.MAX_VALUE]),
  ...texts('exp', [`${now + 300}`, [now + 300], { exp: now + 300 }, now + 300.5, -(now + 300)]),
  ...raw('nbf', wrongTypes),
  ...texts('nbf', [now + 120, now + 3_600, now * 1_000, 2 ** 53, now - 5_000, 0, `${now}`, [now], now - 0.5]),
]

const wrongNames: WrongValues = ({ did, publicDid, keys: { mallory } }, random) => [
  ...['iss', 'aud'].flatMap(name => raw(name, wrongTypes)),
  ...texts('aud', [
    mallory.did,
    [did],
    [did, mallory.did],
    ...[did, publicDid].flatMap(name => forms(name, random)),
    'did:web:localhost',
    'did:web:localhost%3A1',
    'did:web:mallory@localhost',
    'did:web:mallory.example:localhost',
    `did:web:mallory.example%2F${publicDid.slice(8)}`,
    publicDid.replaceAll('%3A', ':'),
    publicDid.replaceAll('%3A', '%3a'),
    publicDid.replaceAll('%3A', '%253A'),
    `${publicDid}:`,
    `${publicDid}%2F`,
    `${publicDid}/.well-known/did.json`,
  ]),
]

/** A DID as it might be taken for the same by a careless eye or comparison. */
const forms = (did: string, random: Random): string[] => {
  const at = random.integer(0, did.length - 1)
  const letter = did[at]!
  return [
    ...[' ', '\0', '\n', '\u200b', '/', '#', '?', '.', '=', '#key-1', '?versionId=1', ';a=b'].map(tail => did + tail),
    ...[' ', '\ufeff', '\u202e'].map(head => head + did),
    did.toUpperCase(),
    did.toLowerCase() === did ? did.toUpperCase() : did.toLowerCase(),
    did.slice(0, -1),
    did.slice(0, at) + (homoglyphs[letter] ?? '\u{1d5ba}') + did.slice(at + 1),
    `${did.slice(0, at)}\u0301${did.slice(at)}`,
    did.replace(':', '\uff1a'),
    did.replace('did:', 'did::'),
    `did:key:${did}`,
    encodeURIComponent(did),
    'did:key:z',
    'did:key:*',
    '*',
  ]
}

const homoglyphs: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  d: '\uff44',
  e: '\u0435',
  i: '\u0456',
  o: '\u043e',
  '1': '\u{1d7cf}',
  k: '\u212a',
  z: '\uff5a',
}

const wrongIssuers: WrongValues = ({ keys: { mallory } }, random, { key }) => [
  ...texts('iss', [mallory.did, ...forms(key.did, random), 'did:web:localhost', 'did:key:z6Mk', 'did:key:']),
  ...texts('iss', [key.did.replace('key:z', 'key:f'), key.did.replace('z6Mk', 'zQ3s'), key.did.replace('z6', 'z16')]),
]

const wrongRights: WrongValues = ({ resource, ability, keys: { mallory } }, random) => {
  const [space] = ability.split('/') as [string]
  const resources = [
    `oracle:${mallory.did}`,
    ...['oracle:*', 'oracle:', '*', 'my:*', 'as:*:*', 'prf:*', 'prf:0', `my:${resource}`, `as:${mallory.did}:*`],
    ...forms(resource, random),
  ]
  const abilities = [
    ...['', ' ', '/', '/*', '**', '*/*', '*/send', `${space}`, `${space}/`, `${space}/**`, `${space}*`, `${space}s/*`],
    ...[
      `${ability} `,
      ` ${ability}`,
      `${ability}/`,
      `${ability}/x`,
      `${ability}/*`,
      ability.toUpperCase(),
      `/${ability}`,
    ],
    ...[
      ability.replace('/', '//'),
      ability.replace('/', '\u2215'),
      ability.replace('/', '%2F'),
      `${ability}\0`,
      'other/*',
    ],
  ]
  return [
    ...raw('att', [...wrongTypes, '[1]', '["*"]', '[{}]', '[[]]', '{"0":{},"length":1}', '[{"with":"*","can":"*"}]']),
    ...resources.map(one => ['att', JSON.stringify([{ with: one, can: ability }])] as const),
    ...abilities.map(one => ['att', JSON.stringify([{ with: resource, can: one }])] as const),
    ...texts('att', [
      [{ with: [resource], can: ability }],
      [{ with: resource, can: [ability] }],
      [{ with: resource }],
      [{ can: ability }],
      { with: resource, can: ability },
      [[{ with: resource, can: ability }]],
      Array.from({ length: 65 }, () => ({ with: resource, can: ability })),
    ]),
  ]
}

const wrongRest: WrongValues = () => [
  ...raw('nnc', ['null', 'true', '[]', '{}', '""', '0', '["n"]']),
  ...texts('nnc', ['n'.repeat(257), 'n'.repeat(9_000)]),
  ...raw('fct', ['null', 'true', '{}', '"x"', '1', '[1]', '["x"]', '[null]', '[[]]']),
  ...raw(
    'fct',
    [5, 9, 100, 1_500].map(levels => `[{"a":${'['.repeat(levels + 5)}${']'.repeat(levels + 5)}}]`),
  ),
  ...raw('prf', ['null', 'true', '{}', '"x"', '1', '[1]', '[null]', '[[]]', '[""]', '["."]', '["a.b.c"]', '[{}]']),
]

const without = (payload: GoodToken['payload'], name: string) =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))

/** Writes a wrong value over a member, or beside it so that it counts as the last of two. */
const wrong =
  (values: WrongValues): Mutations[string] =>
  (cast, random) => {
    const good = random.pick(cast.good)
    const [name, json] = random.pick(values(cast, random, good))
    const rest = random.integer(0, 3) === 0 ? good.payload : without(good.payload, name)
    return forge(good.key, withMember(rest, name, json))
  }

/** Mutations of claims that even the rightful signer must not make; all of them are signed correctly. */
export const claimMutations: Mutations = {
  wrongTimes: wrong(wrongTimes),
  wrongNames: wrong(wrongNames),
  wrongIssuers: wrong(wrongIssuers),
  wrongRights: wrong(wrongRights),
  wrongRest: wrong(wrongRest),
  missing(cast, random) {
    const { key, payload } = random.pick(cast.good)
    return forge(key, without(payload, random.pick(['iss', 'aud', 'exp', 'nnc', 'att', 'prf'])))
  },
  inherited(cast, random) {
    const { key, payload } = random.pick(cast.good)
    const name = random.pick(['iss', 'aud', 'exp', 'nnc', 'att'])
    const holder = random.pick(['__proto__', 'constructor', 'prototype', 'payload', 'toJSON'])
    const rest = without(payload, name)
    return forge(key, withMember(rest, holder, JSON.stringify(random.pick([payload, { [name]: payload[name] }]))))
  },
  noObject(cast, random) {
    const { key, payload } = random.pick(cast.good)
    const text = JSON.stringify(payload)
    const bodies = [
      '',
      'null',
      '1',
      '""',
      '[]',
      `[${text}]`,
      JSON.stringify(text),
      `${text}}`,
      `${text}\0`,
      `\ufeff${text}`,
    ]
    return forge(key, random.pick([...bodies, text.slice(0, -1), text.replaceAll('"', "'"), `${text}${text}`]))
  },
  deep(cast, random) {
    const { key, payload } = random.pick(cast.good)
    const levels = random.pick([500, 5_000, 11_000])
    const opened = random.pick(['[', '{"a":'])
    const nested = opened.repeat(Math.floor(levels / opened.length))
    return forge(key, random.pick([nested, withMember(without(payload, 'exp'), 'exp', nested)]))
  },
  huge(cast, random) {
    const { key, payload } = random.pick(cast.good)
    const size = random.pick([11_000, 13_000, 40_000, 1_000_000])
    const filler = random.pick([`"${'x'.repeat(size)}"`, '9'.repeat(size), `[${'0,'.repeat(size / 2)}0]`])
    return forge(key, withMember(without(payload, 'nnc'), 'nnc', filler))
  },
  brokenUtf8: async (cast, random) => {
    const { key, payload } = random.pick(cast.good)
    const bytes = Buffer.from(withMember(payload, 'x', '"????"'))
    const bad = random.pick([[0xff], [0xc0, 0xae], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80]])
    Buffer.from(bad).copy(bytes, bytes.lastIndexOf('????'))
    const signed = `${cast.good[0]!.token.split('.')[0]}.${bytes.toString('base64url')}`
    return `${signed}.${Buffer.from(await key.sign(Buffer.from(signed))).toString('base64url')}`
  },
}
