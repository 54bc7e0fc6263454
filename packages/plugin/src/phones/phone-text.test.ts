import { expect, it } from 'vitest'
import { phoneTextLength } from './phone-text.ts'

it.each([
  ['', 'gsm7', 0],
  ['Welcome\n1. Know More', 'gsm7', 20],
  ['@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà', 'gsm7', 42],
  ['€[]{}\\^~|\f', 'gsm7', 20],
  ['5 €', 'gsm7', 4],
  ['ç', 'ucs2', 1],
  ['`', 'ucs2', 1],
  ['tab\t', 'ucs2', 4],
  ['Order 5 ₦', 'ucs2', 9],
  ['ok 👍', 'ucs2', 5],
])('%j is %s of length %i', (text, encoding, length) => {
  expect(phoneTextLength(text)).toEqual({ encoding, length })
})

it('knows the 127 characters of the default alphabet and the ten of its extension table', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => phoneTextLength(String.fromCharCode(code)))
  const lengths = characters.filter(({ encoding }) => encoding === 'gsm7').map(({ length }) => length)
  expect(lengths.filter(length => length === 1)).toHaveLength(127)
  expect(lengths.filter(length => length === 2)).toHaveLength(10)
})
