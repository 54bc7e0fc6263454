import { expect, test } from 'vitest'
import { differences } from './differences.ts'

test('members that were added, changed and removed, at any depth', () => {
  expect(
    differences(
      { type: 'Stove', properties: { fuel: 'wood', place: { county: 'A', ward: 1 }, old: true } },
      { type: 'Stove', properties: { fuel: 'lpg', place: { county: 'A', ward: 2 }, lit: false } },
    ),
  ).toEqual([
    { path: 'properties › fuel', before: 'wood', after: 'lpg' },
    { path: 'properties › lit', after: false },
    { path: 'properties › old', before: true },
    { path: 'properties › place › ward', before: 1, after: 2 },
  ])
  expect(differences(undefined, { did: 'a', properties: {} })).toEqual([
    { path: 'did', after: 'a' },
    { path: 'properties', after: {} },
  ])
  expect(differences({ a: [1, 2] }, { a: [1, 2] })).toEqual([])
})

test('hostile names and large states are bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`a${number}`, number]))
  expect(differences({}, many)).toHaveLength(200)
  expect(differences({}, JSON.parse('{"__proto__": 1}'))).toEqual([{ path: '__proto__', after: 1 }])
})
