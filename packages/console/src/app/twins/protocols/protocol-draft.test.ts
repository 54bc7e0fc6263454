import { mergePatch } from '@sibyl/plugin-entities/records'
import { expect, test } from 'vitest'
import { mergePatchFrom } from '../../api/merge-patch.ts'
import { documentOf, draftOf, nextId, type ProtocolDocument, repeatedNames } from './protocol-draft.ts'

const stove: ProtocolDocument = {
  properties: {
    serial: { type: 'string', required: true },
    watts: { type: 'number', unit: 'W', minimum: 0 },
    place: { type: 'object', properties: { county: { type: 'string' } } },
  },
  relationships: { operator: 'Organisation' },
  claim: {
    properties: { hours: { type: 'number', required: true } },
    rubric: [{ id: 'used', path: '/hours', operator: 'at-least', value: 3, reason: 'Too short.' }],
  },
  domainClass: 'Physical Twins',
}

test('a document becomes a draft and the same document again, with nested rules', () => {
  expect(documentOf(draftOf(stove)!)).toEqual(stove)
  expect(documentOf(draftOf({ properties: { name: 'string' } })!)).toEqual({
    properties: { name: { type: 'string' } },
    relationships: {},
  })
})

test.each([
  [null],
  [[]],
  [{ properties: [] }],
  [{ properties: { a: 'date' } }],
  [{ properties: {}, claim: { rubric: {} } }],
])('%j is no protocol', document => expect(draftOf(document)).toBeUndefined())

test('the patch of a change turns the earlier document into the later one', () => {
  const later: Record<string, unknown> = {
    ...stove.properties,
    watts: { type: 'number', unit: 'kW' },
    place: { type: 'object', properties: { ward: { type: 'string' } } },
    fuel: { type: 'string', enum: ['wood'] },
  }
  const { serial: _, ...without } = later
  const patch = mergePatchFrom(stove.properties, without)
  expect(patch).toMatchObject({ serial: null, watts: { minimum: null, unit: 'kW' } })
  expect(mergePatch(stove.properties as never, patch as never)).toEqual(without)
  expect(mergePatchFrom(stove, stove)).toEqual({})
})

test('repeated names are found, and ids of new entries are free', () => {
  expect([...repeatedNames([{ name: 'a' }, { name: 'b' }, { name: 'a' }])]).toEqual(['a'])
  expect([nextId([]), nextId([{ id: 4 }, { id: 2 }])]).toEqual([0, 5])
})
