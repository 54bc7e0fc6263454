import { expect, test } from 'vitest'
import { parseCityName } from './weather-lookup.ts'

test.each([
  ['Berlin', 'Berlin'],
  ['  New York\n', 'New York'],
  ['Sa\u0303o Paulo', 'S\u00e3o Paulo'],
  ['Ber\u200blin', 'Berlin'],
  ['北京', '北京'],
  ['10115', '10115'],
  ["N'Djamena", "N'Djamena"],
  ['x'.repeat(100), 'x'.repeat(100)],
])('%j names %j', (text, name) => {
  expect(parseCityName(text)).toBe(name)
})

test.each([undefined, '', '   ', '\n\t'])('%j is not a city', text => {
  expect(() => parseCityName(text)).toThrow(expect.objectContaining({ code: 'city_missing' }))
})

test.each([
  ['x'.repeat(101), 'longer than 100 characters'],
  ['x'.repeat(10_000), 'longer than 100 characters'],
  ['Ber\u0000lin', 'control characters'],
  ['Berlin\r\nX-Header: 1', 'control characters'],
  ['\u202e\u202e', 'neither a letter nor a digit'],
  ['../..', 'neither a letter nor a digit'],
])('rejects %j', (text, violation) => {
  expect(() => parseCityName(text)).toThrow(expect.objectContaining({ code: 'city_invalid' }))
  expect(() => parseCityName(text)).toThrow(violation)
})
