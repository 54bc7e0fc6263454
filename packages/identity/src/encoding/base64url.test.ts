import { expect, it } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'

it('reads back what it wrote, at every length', () => {
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length * 101) % 256)
    expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
  }
})

it.each([
  ['padding', 'AA=='],
  ['unused bits', 'AB'],
  ['unused bits of two bytes', 'AAB'],
  ['an impossible length', 'A'],
  ['the alphabet of base64', 'a+/='],
  ['white space', 'AA AA'],
  ['a line break at the end', 'AAAA\n'],
  ['a character beyond ASCII', 'AAAÄ'],
])('refuses %s', (_, text) => {
  expect(fromBase64url(text)).toBeUndefined()
})

it('accepts one encoding of each byte string: every other last character is rejected', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const start of ['A', 'AA', 'AAAAA', 'AAAAAA']) {
    const spelled = Array.from(alphabet, last => start + last).filter(text => fromBase64url(text) !== undefined)
    expect(spelled).toHaveLength(start.length % 4 === 1 ? 4 : 16)
    for (const text of spelled) expect(toBase64url(fromBase64url(text)!)).toBe(text)
  }
})
