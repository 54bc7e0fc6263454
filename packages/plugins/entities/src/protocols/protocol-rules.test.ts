import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { describe, expect, it } from 'vitest'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { protocolRules } from './protocol-rules.ts'

const as = { did: 'did:web:localhost%3A3000:entities:01jd3v7q5k7rm0x2p9e8w4n6ts', version: 3 }

const parse = (properties: unknown, relationships: unknown = {}) =>
  protocolRules.parse({ properties, relationships }, as)

const defined = (properties: unknown): ProtocolDefinition => {
  const definition = parse(properties)
  if ('faults' in definition) throw new Error(JSON.stringify(definition.faults))
  return definition
}

const parseViolations = (properties: unknown, relationships: unknown = {}): string[] => {
  const parsed = parse(properties, relationships)
  return 'faults' in parsed ? parsed.faults.map(({ path, code }) => `${path} ${code}`) : []
}

const checkViolations = (properties: unknown, given: unknown): string[] =>
  protocolRules.check(defined(properties), given as Readonly<JsonObject>).map(({ path, code }) => `${path} ${code}`)

const nested = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { type: 'object', properties: { a: nested(levels - 1, inner) } }

describe('a posted protocol', () => {
  it('is read with all that it says', () => {
    const claim = { data: { kilograms: 'number' } }
    const posted = {
      properties: {
        fuel: { type: 'string', enum: ['wood', 'gas'], required: true, description: 'What it burns', minLength: 1 },
        power: { type: 'number', minimum: 0, maximum: 10 },
        lit: 'boolean',
        place: { type: 'object', properties: { lat: 'number' } },
        parts: { type: 'array', items: 'string', minLength: 1, maxLength: 3 },
        constructor: 'string',
      },
      relationships: { verifier: 'OracleEntity', within: 'Twin Systems', like: as.did, next: 'any' },
      domainClass: 'Twin Systems' as const,
      claim,
    }
    expect(protocolRules.parse(posted, as)).toEqual({
      ...as,
      properties: {
        fuel: { type: 'string', enum: ['wood', 'gas'], required: true, description: 'What it burns', minLength: 1 },
        power: { type: 'number', minimum: 0, maximum: 10 },
        lit: { type: 'boolean' },
        place: { type: 'object', properties: { lat: { type: 'number' } } },
        parts: { type: 'array', items: { type: 'string' }, minLength: 1, maxLength: 3 },
        constructor: { type: 'string' },
      },
      relationships: posted.relationships,
      domainClass: 'Twin Systems',
      claim,
    })
    expect(protocolRules.parse({ properties: undefined, relationships: undefined }, as)).toEqual({
      ...as,
      properties: {},
      relationships: {},
    })
  })

  it.each<[string, unknown, unknown, string[]]>([
    [
      'types that there are not',
      { a: 'integer', b: { type: 'date' }, c: {} },
      {},
      ['/properties/a unknown_type', '/properties/b/type unknown_type', '/properties/c/type unknown_type'],
    ],
    [
      'rules that are none',
      { a: null, b: ['string'], c: 1 },
      {},
      ['/properties/a wrong_type', '/properties/b wrong_type', '/properties/c wrong_type'],
    ],
    ['maps that are none', [], 'verifier', ['/properties wrong_type', '/relationships wrong_type']],
    [
      'names',
      { '1a': 'string', '': 'string', 'a/b': 'string', _a: 'string' },
      { 'x y': 'any' },
      [
        '/properties name_invalid',
        '/properties name_invalid',
        '/properties name_invalid',
        '/properties name_invalid',
        '/relationships name_invalid',
      ],
    ],
    [
      'names that change prototypes',
      JSON.parse('{"__proto__": "string"}'),
      JSON.parse('{"__proto__": "any"}'),
      ['/properties name_invalid', '/relationships name_invalid'],
    ],
    [
      'members of another type',
      { a: { type: 'string', minimum: 1, 'x/y': 1 }, b: { type: 'object', items: 'string' } },
      {},
      [
        '/properties/a/minimum unknown_member',
        '/properties/a/x~1y unknown_member',
        '/properties/b/items unknown_member',
      ],
    ],
    [
      'units',
      {
        a: { type: 'string', unit: 'kg' },
        b: { type: 'number', unit: 'k'.repeat(31) },
        c: { type: 'number', unit: 1 },
      },
      {},
      ['/properties/a/unit unknown_member', '/properties/b/unit wrong_type', '/properties/c/unit wrong_type'],
    ],
    [
      'ranges',
      {
        a: { type: 'number', minimum: 3, maximum: 2 },
        b: { type: 'string', minLength: -1, maxLength: 1.5 },
        c: { type: 'number', minimum: Number.POSITIVE_INFINITY },
      },
      {},
      [
        '/properties/a/minimum range_invalid',
        '/properties/b/minLength wrong_type',
        '/properties/b/maxLength wrong_type',
        '/properties/c/minimum wrong_type',
      ],
    ],
    [
      'enums',
      { a: { type: 'string', enum: [] }, b: { type: 'number', enum: ['1', 1, 1] }, c: { type: 'boolean', enum: true } },
      {},
      [
        '/properties/a/enum wrong_type',
        '/properties/b/enum/0 wrong_type',
        '/properties/b/enum/2 repeated_value',
        '/properties/c/enum wrong_type',
      ],
    ],
    [
      'items',
      { a: { type: 'array', items: { type: 'string', required: true } }, b: { type: 'array', items: 'x' } },
      {},
      ['/properties/a/items/required unknown_member', '/properties/b/items unknown_type'],
    ],
    [
      'nested rules',
      {
        a: { type: 'object', properties: { b: { type: 'array', items: { type: 'object', properties: { c: 'x' } } } } },
      },
      {},
      ['/properties/a/properties/b/items/properties/c unknown_type'],
    ],
    [
      'flags',
      { a: { type: 'string', required: 'yes', description: 5 } },
      {},
      ['/properties/a/required wrong_type', '/properties/a/description wrong_type'],
    ],
    [
      'kinds',
      {},
      { a: 5, b: 'Two Words', c: '', produces: 'Claim', verifies: 'any' },
      [
        '/relationships/a wrong_type',
        '/relationships/b unknown_kind',
        '/relationships/c unknown_kind',
        '/relationships/produces reserved_relationship',
        '/relationships/verifies reserved_relationship',
      ],
    ],
  ])('gets all problems at once: %s', (_, properties, relationships, violations) => {
    expect(parseViolations(properties, relationships)).toEqual(violations)
  })

  it('has limits of depth, number and reported problems', () => {
    expect(parseViolations({ a: nested(7, 'string') })).toEqual([])
    expect(parseViolations({ a: nested(9, 'string') })).toEqual([`/properties/a${'/properties/a'.repeat(8)} too_deep`])
    const many = (count: number, rule: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, rule]))
    expect(parseViolations(many(500, 'string'))).toEqual([])
    expect(parseViolations(many(501, 'string'))).toEqual(['/properties too_many'])
    expect(parseViolations(many(20, { type: 'object', properties: many(30, 'string') }))).toContainEqual(
      expect.stringMatching(/ too_many$/),
    )
    expect(parseViolations({}, many(201, 'any'))).toEqual(['/relationships too_many'])
    const violations = parseViolations(many(400, 'x'))
    expect(violations).toHaveLength(101)
    expect(violations.at(-1)).toBe(' more_faults')
  })
})

describe('the properties of an entity', () => {
  const stove = {
    fuel: { type: 'string', enum: ['wood', 'gas'], required: true },
    power: { type: 'number', minimum: 1, maximum: 10 },
    lit: 'boolean',
    name: { type: 'string', minLength: 2, maxLength: 3 },
    place: { type: 'object', properties: { lat: { type: 'number', required: true } } },
    notes: 'object',
    parts: { type: 'array', items: { type: 'object', properties: { id: 'string' } }, minLength: 1, maxLength: 2 },
    constructor: 'string',
  }

  it.each<[unknown, string[]]>([
    [{ fuel: 'wood' }, []],
    [
      {
        fuel: 'gas',
        power: 10,
        lit: false,
        name: '👍👍👍',
        place: { lat: -1 },
        notes: { a: [null] },
        parts: [{ id: 'x' }, {}],
        constructor: 'x',
      },
      [],
    ],
    [{}, ['/properties/fuel missing_property']],
    [
      { fuel: 'coal', power: 11, lit: 'yes', name: 'x', place: {}, parts: [] },
      [
        '/properties/fuel not_in_enum',
        '/properties/power too_large',
        '/properties/lit wrong_type',
        '/properties/name too_short',
        '/properties/place/lat missing_property',
        '/properties/parts too_short',
      ],
    ],
    [
      { fuel: null, power: 0, name: 'abcd', place: [], notes: 'x', parts: [{ id: 1 }, 5, { other: 1 }] },
      [
        '/properties/fuel wrong_type',
        '/properties/power too_small',
        '/properties/name too_long',
        '/properties/place wrong_type',
        '/properties/notes wrong_type',
        '/properties/parts too_long',
        '/properties/parts/0/id wrong_type',
        '/properties/parts/1 wrong_type',
        '/properties/parts/2/other unknown_property',
      ],
    ],
    [
      { fuel: 'gas', toString: 'x', hasOwnProperty: 1, 'a/b~c': 1 },
      [
        '/properties/toString unknown_property',
        '/properties/hasOwnProperty unknown_property',
        '/properties/a~1b~0c unknown_property',
      ],
    ],
    [
      JSON.parse('{"fuel": "gas", "__proto__": {"fuel": "wood"}, "notes": {"x": {"__proto__": 1}}}'),
      ['/properties name_invalid', '/properties/notes/x name_invalid'],
    ],
    [
      { fuel: 'gas', constructor: 'a\0b', notes: { a: '\ud800', '\udc00': 1 } },
      ['/properties/constructor text_invalid', '/properties/notes/a text_invalid', '/properties/notes name_invalid'],
    ],
    [
      { fuel: 'gas', power: Number.NaN, notes: { a: Number.POSITIVE_INFINITY } },
      ['/properties/power number_invalid', '/properties/notes/a number_invalid'],
    ],
  ])('%# gets every problem by its path', (given, violations) => {
    expect(checkViolations(stove, given)).toEqual(violations)
  })

  it('are what a property of an ordinary object is not', () => {
    expect(checkViolations({ constructor: { type: 'string', required: true } }, {})).toEqual([
      '/properties/constructor missing_property',
    ])
    expect(checkViolations({}, { valueOf: 1 })).toEqual(['/properties/valueOf unknown_property'])
  })

  it('may be any JSON that can be stored, without a protocol', () => {
    const check = (given: unknown) =>
      protocolRules.check(undefined, given as Readonly<JsonObject>).map(({ path, code }) => `${path} ${code}`)
    expect(check({ any: { thing: [1, 'x', null, true] } })).toEqual([])
    expect(check({ a: 'x\0' })).toEqual(['/properties/a text_invalid'])
    let deep: JsonValue = 1
    for (let level = 0; level < 40; level += 1) deep = [deep]
    expect(check({ deep })).toEqual([`/properties/deep${'/0'.repeat(31)} too_deep`])
    expect(check({ ['x'.repeat(201)]: 1 })).toEqual(['/properties name_invalid'])
  })

  it('say what to do', () => {
    const messages = protocolRules.check(defined(stove), {
      fuel: 'coal',
      power: '5',
      lit: null,
      fule: 'x',
    } as Readonly<JsonObject>)
    expect(messages.map(({ message }) => message)).toEqual([
      'Must be one of: wood, gas.',
      'Must be a number, but is a string.',
      'Must be true or false, but is null. Omit the property if it has no value.',
      'Is not in the protocol. Its properties: fuel, power, lit, name, place, notes, parts, constructor.',
    ])
  })
})

it.each([
  ['CookStove', undefined, 'Physical Twins'],
  ['CookStove', 'Twin Systems', 'Twin Systems'],
  ['Organisation', 'Twin Systems', 'Cognitive Twins'],
  ['Organization', undefined, 'Cognitive Twins'],
  ['Cooperative', 'Physical Twins', 'Cognitive Twins'],
  ['NGO', undefined, 'Cognitive Twins'],
  ['VerificationOracle', undefined, 'Oracle Twins'],
  ['MembershipGroup', undefined, 'Cognitive Twins'],
  ['Membership-Group', undefined, 'Cognitive Twins'],
  ['ProjectEntity', undefined, 'Cognitive Twins'],
  ['Oracle', undefined, 'Oracle Twins'],
  ['OracleEntity', 'Physical Twins', 'Oracle Twins'],
  ['SupplyChain', undefined, 'Twin Systems'],
  ['fleet', undefined, 'Twin Systems'],
  ['Entity', undefined, 'Physical Twins'],
  ['constructor', undefined, 'Physical Twins'],
] as const)('an entity of type %s under a protocol of class %s is one of the %s', (type, domainClass, expected) => {
  const definition = domainClass && { ...as, properties: {}, relationships: {}, domainClass }
  expect(protocolRules.domainClass(type, definition)).toBe(expected)
})
