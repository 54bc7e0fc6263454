import type { JsonObject } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { argumentCheck } from './argument-check.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const deep = (depth: number): JsonObject => (depth === 0 ? { type: 'string' } : object({ a: deep(depth - 1) }))

test.each<[JsonObject, unknown]>([
  [object({ a: { type: 'string' } }, { required: ['a'] }), {}],
  [object({ a: { type: 'integer' } }), { a: 1.5 }],
  [object({ a: { enum: ['x', 'y'] } }), { a: 'z' }],
  [object({ a: { type: 'array', items: { type: 'string' } } }), { a: [1] }],
  [object({ a: { type: 'number', minimum: 0 } }), { a: -1 }],
  [object({}, { additionalProperties: false }), { a: 1 }],
  [object({ a: object({ b: { type: 'boolean' } }) }), { a: { b: 'yes' } }],
  [{ type: 'object' }, []],
  [{ type: 'object' }, 'x'],
])('%j refuses %j', (schema, value) => {
  expect(argumentCheck(schema).safeParse(value).success).toBe(false)
})

test.each<[string, JsonObject, unknown]>([
  ['more members', object({ a: { type: 'string' } }), { a: 'x', b: 1 }],
  ['null where OpenAPI says so', object({ a: { type: 'string', nullable: true } }), { a: null }],
  ['one of several types', object({ a: { type: ['string', 'null'] } }), { a: null }],
  [
    'what patterns would stall on',
    object({ a: { type: 'string', pattern: '^(a+)+$' } }),
    { a: `${'a'.repeat(50_000)}!` },
  ],
  ['a pattern that is none', object({ a: { type: 'string', pattern: '(' } }), { a: 'x' }],
  ['alternatives of required members', { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }],
  ['conditions', JSON.parse('{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }],
  ['references', object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { type: 'string' } } }), { a: {} }],
  ['references to elsewhere', object({ a: { $ref: 'https://x.example/schema' } }), { a: 1 }],
  ['unknown types', object({ a: { type: 'banana' } }), { a: 1 }],
  ['emoji where length counts them as one', object({ a: { type: 'string', maxLength: 2 } }), { a: '🌊🌊' }],
  ['what is nested deeper than is looked', deep(40), { a: { a: {} } }],
])('takes %s', (_, schema, value) => {
  expect(argumentCheck(schema).parse(value)).toEqual(value)
})

test('adds no defaults: they are the server’s', () => {
  expect(argumentCheck(object({ a: { type: 'string', default: 'x' } })).parse({})).toEqual({})
})
