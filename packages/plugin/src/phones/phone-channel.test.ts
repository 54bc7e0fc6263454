import { expect, test } from 'vitest'
import { normalPhone, readPhoneNumber } from './phone-channel.ts'

const phone = '+260971234567'
const arabic = (text: string) => text.replace(/\d/g, digit => String.fromCodePoint(0x660 + Number(digit)))
const wide = (text: string) => text.replace(/[+\d]/g, one => String.fromCodePoint(one.charCodeAt(0) + 0xfee0))

const forms = ['+', '00', ' 00 ', '＋'].flatMap(prefix =>
  [
    '260971234567',
    '260 97 123 4567',
    '260-97-1234567',
    '260 (97) 123.4567',
    '260 (0)97 123/4567',
    '260\u00a097‑1234567',
  ]
    .flatMap(rest => [rest, arabic(rest)])
    .map(rest => `${prefix}${rest}`),
)

test.each([...forms, wide(phone), `\u202a${phone}\u202c`, `\u200e${phone}\n`])('%j has one canonical form', form => {
  expect(normalPhone(form)).toBe(phone)
  expect(readPhoneNumber(form)).toBe(phone)
})

test.each([
  '0971234567',
  '260971234567',
  '+0971234567',
  '+26097',
  '++260971234567',
  '+26097x',
  '+2609712345678901',
  '',
  `+260${' '.repeat(100)}971234567`,
])('%j is not a phone number', text => {
  expect(readPhoneNumber(text)).toBeUndefined()
})
