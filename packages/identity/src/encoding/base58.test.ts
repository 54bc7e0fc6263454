import { expect, it } from 'vitest'
import { fromBase58, toBase58 } from './base58.ts'

it.each([
  ['', ''],
  ['00', '1'],
  ['0000287fb4cd', '11233QC4'],
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
])('writes %s as %s and reads it back', (hex, text) => {
  expect(toBase58(Buffer.from(hex, 'hex'))).toBe(text)
  expect(Buffer.from(fromBase58(text) ?? []).toString('hex')).toBe(hex)
})

it.each(['0', 'O', 'I', 'l', 'abc+', 'é'])('refuses %s, which holds a character that is not in the alphabet', text => {
  expect(fromBase58(text)).toBeUndefined()
})
