import { expect, test } from 'vitest'
import { claimHash, claimsHash, entitiesHash, entityHash, noQuery, readPlace } from './hash-route.js'

const did = 'did:web:localhost%3A4100:entities:01m7zm6d4we80sp1wqmwzh367f'

test.each(['', '#', '#/', '#/entities', '#entities'])('%j is the list of all entities', hash => {
  expect(readPlace(hash)).toEqual({ view: 'entities', query: noQuery })
})

test('any query is restored unchanged', () => {
  const query = {
    ...noQuery,
    words: 'stove & "wood"?',
    type: 'CookStove',
    property: 'fuel=50% wood#1',
    after: 'a+b/c=',
  }
  expect(readPlace(entitiesHash(query))).toEqual({ view: 'entities', query })
  expect(entitiesHash(noQuery)).toBe('#/entities')
})

test('a DID is restored unchanged, including percent signs', () => {
  expect(readPlace(entityHash(did))).toEqual({ view: 'entity', did })
  expect(entityHash(did)).toContain('localhost%253A4100')
})

test('claims', () => {
  expect(readPlace(claimsHash())).toEqual({ view: 'claims', state: '', after: '' })
  expect(readPlace(claimsHash({ state: 'all', after: 'x' }))).toEqual({ view: 'claims', state: 'all', after: 'x' })
  expect(readPlace(claimHash('01a1ff43-3646'))).toEqual({ view: 'claim', id: '01a1ff43-3646' })
})

test.each(['#/nowhere', '#/entities/%E0%A4', '#/__proto__'])('%s leads nowhere', hash => {
  expect(readPlace(hash)).toEqual({ view: 'nowhere' })
})
