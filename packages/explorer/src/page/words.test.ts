import { expect, test } from 'vitest'
import { counted, cut, ending, nameOf, shortId, timeText, valueText } from './words.js'

const did = 'did:web:localhost%3A4100:entities:01m7zm6d4we80sp1wqmwzh367f'

test.each<[Record<string, string | number | boolean>, string]>([
  [{ name: '  Stove Kondele ' }, 'Stove Kondele'],
  [{ name: '', title: 'Kisumu' }, 'Kisumu'],
  [{ serial: 17 }, 'CookStove 17'],
  [{ name: true }, 'CookStove …zh367f'],
  [{}, 'CookStove …zh367f'],
])('an entity with %j is called %s', (properties, name) => {
  expect(nameOf({ did, type: 'CookStove', properties })).toBe(name)
})

test('a name is not taken from the prototype, and never longer than a line', () => {
  expect(nameOf({ did, type: 'CookStove', properties: Object.create({ name: 'inherited' }) })).toBe('CookStove …zh367f')
  expect([...nameOf({ did, type: 'CookStove', properties: { name: '👋🏽'.repeat(500) } })].length).toBe(80)
})

test('long identifiers show their method and their end', () => {
  expect(shortId(did)).toBe('did:web:localhost%…mwzh367f')
  expect(shortId('did:key:z6Mk')).toBe('did:key:z6Mk')
  expect(ending(did)).toBe('…zh367f')
})

test('texts are cut between characters', () => {
  expect(cut('Stove', 5)).toBe('Stove')
  expect(cut('Stove Kondele', 7)).toBe('Stove…')
  expect(cut('😀😀😀', 2)).toBe('😀…')
})

test('values, times and counts are readable', () => {
  expect(valueText({ a: [1, null] })).toBe('{\n  "a": [\n    1,\n    null\n  ]\n}')
  expect([valueText('<b>'), valueText(null), valueText(false)]).toEqual(['<b>', 'null', 'false'])
  expect(timeText('2026-11-21T14:05:00.000Z')).toContain('2026')
  expect(timeText('soon')).toBe('soon')
  expect([counted(1, 'link'), counted(2, 'entity', 'entities')]).toEqual(['1 link', '2 entities'])
})
