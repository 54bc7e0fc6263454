import { base64urlnopad } from '@scure/base'
import { expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

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
  expect(decodeText(base64urlnopad, text)).toBeUndefined()
})

it('accepts one encoding of each byte string: every other last character is rejected', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const start of ['A', 'AA', 'AAAAA', 'AAAAAA']) {
    const spelled = Array.from(alphabet, last => start + last).filter(
      text => decodeText(base64urlnopad, text) !== undefined,
    )
    expect(spelled).toHaveLength(start.length % 4 === 1 ? 4 : 16)
    for (const text of spelled) expect(base64urlnopad.encode(decodeText(base64urlnopad, text)!)).toBe(text)
  }
})
