import { expect, test } from 'vitest'
import { schemaViolation } from '../testing/strict/schema-violation.ts'
import { portableSchema } from './portable-schema.ts'

const text = { type: 'string' }
const object = { type: 'object' }

/** Returns the repaired schema, which every API takes. */
const repaired = (schema: unknown) => {
  const portable = portableSchema(schema)
  if ('refusal' in portable) throw new Error(portable.refusal)
  expect(schemaViolation(portable.schema)).toBeUndefined()
  return portable
}

test.each<[string, unknown, unknown]>([
  ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
  ['a type among others', { type: ['object', 'null'] }, { type: 'object', properties: {} }],
  ['properties that are null', { ...object, properties: null }, { type: 'object', properties: {} }],
  [
    'alternatives of requirements at the top',
    { ...object, properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { type: 'object', properties: { a: text, b: text } },
  ],
  [
    'alternatives of objects at the top',
    {
      oneOf: [
        { ...object, properties: { kind: { const: 'a' }, a: text }, required: ['kind', 'a'] },
        { ...object, properties: { kind: { const: 'b' }, b: text }, required: ['kind', 'b'] },
      ],
    },
    {
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, a: text, b: text },
      required: ['kind'],
    },
  ],
  [
    'parts at the top',
    { ...object, properties: { a: text }, allOf: [{ properties: { b: text }, required: ['b'] }, { required: ['a'] }] },
    { type: 'object', properties: { a: text, b: text }, required: ['b', 'a'] },
  ],
  [
    'lists without items',
    { ...object, properties: { a: { type: 'array' }, b: { type: ['array', 'null'], items: true } } },
    { type: 'object', properties: { a: { type: 'array', items: {} }, b: { type: ['array', 'null'], items: {} } } },
  ],
  [
    'lists with an item for each place',
    { ...object, properties: { a: { type: 'array', items: [text, { type: 'number' }] } } },
    { type: 'object', properties: { a: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } } },
  ],
  [
    'exclusive bounds of draft 4',
    { ...object, properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true, exclusiveMaximum: false } } },
    { type: 'object', properties: { a: { type: 'number', exclusiveMinimum: 1 } } },
  ],
  [
    'requirements of draft 3',
    { ...object, properties: { a: { ...text, required: true } }, required: true },
    { type: 'object', properties: { a: text }, required: ['a'] },
  ],
  [
    'requirements that are not defined',
    { ...object, properties: { a: text }, required: ['a', 'b'] },
    { type: 'object', properties: { a: text }, required: ['a'] },
  ],
  [
    'schemas that are true, false or null',
    { ...object, properties: { a: true, b: false, c: null } },
    { type: 'object', properties: { a: {}, c: {} } },
  ],
  [
    'keywords of other types',
    { ...object, properties: { a: { type: 'int', minLength: '3', maximum: 'x', enum: [], description: null } } },
    { type: 'object', properties: { a: { type: 'integer', minLength: 3 } } },
  ],
  [
    'references',
    { ...object, properties: { a: { $ref: '#/$defs/b', description: 'c' } }, $defs: { b: text } },
    { type: 'object', properties: { a: { type: 'string', description: 'c' } } },
  ],
  [
    'references that lead nowhere, or out of it',
    { ...object, properties: { a: { $ref: '#/$defs/b' }, c: { $ref: 'https://example.org/schema' } } },
    { type: 'object', properties: { a: {}, c: {} } },
  ],
  [
    'a reference at the top',
    { $ref: '#/definitions/a', definitions: { a: object } },
    { type: 'object', properties: {} },
  ],
])('repairs %s', (_, schema, expected) => {
  expect(repaired(schema).schema).toEqual(expected)
})

test('a schema that contains itself, or is deep, ends', () => {
  const tree = { ...object, properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } }
  repaired({ ...tree, $defs: { tree } })
  repaired({ ...object, properties: { a: { $ref: '#' } } })
  let deep: object = text
  for (let level = 0; level < 500; level += 1) deep = { ...object, properties: { a: deep } }
  repaired(deep)
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `d${index}`,
      { ...object, properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } } },
    ]),
  )
  const portable = portableSchema({ ...object, properties: { a: { $ref: '#/$defs/d0' } }, $defs: many })
  if ('schema' in portable) expect(schemaViolation(portable.schema)).toBeUndefined()
})

test('members whose names APIs reject have others, and arguments get their own back', () => {
  const schema = {
    ...object,
    properties: { $filter: text, _filter: text, 'a b': { ...object, properties: { 'é!': text }, required: ['é!'] } },
    required: ['$filter'],
  }
  const portable = repaired(schema)
  expect(Object.keys(portable.schema.properties as object)).toEqual(['_filter_2', '_filter', 'a_b'])
  expect(portable.schema.required).toEqual(['_filter_2'])
  const read = portable.read({ _filter_2: 'x', _filter: 'y', a_b: { __: 'z' } })
  expect(read).toEqual({ $filter: 'x', _filter: 'y', 'a b': { 'é!': 'z' } })
  expect(portable.read(read)).toEqual(read)
})

test.each([[null], ['text'], [[object]], [{ type: 'array', items: text }], [{ anyOf: [text, { type: 'number' }] }]])(
  'refuses %j, which does not describe an object, with a reason',
  schema => {
    expect(portableSchema(schema)).toMatchObject({ refusal: expect.stringContaining('not an object') })
  },
)

test('a schema that is too large is refused with a reason', () => {
  const properties = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`member${index}`, text]))
  expect(portableSchema({ ...object, properties })).toMatchObject({ refusal: expect.stringContaining('characters') })
})

test('any JSON accepts anything', () => {
  const json = { anyOf: ['string', 'number', 'boolean', 'null', 'array', 'object'].map(type => ({ type })) }
  const types = { type: ['null', 'boolean', 'number', 'string', 'array', 'object'], $ref: '#/$defs/json' }
  const schema = { ...object, properties: { a: json, b: types }, $defs: { json } }
  expect(repaired(schema).schema).toEqual({ type: 'object', properties: { a: {}, b: {} } })
})
