import { expect, it } from 'vitest'
import { cleanInput, cleanLine, cleanLines } from './clean-input.ts'

it.each([
  ['plain text stays', '1*2', '1*2'],
  ['space around it goes', '  1 \n', '1'],
  ['full-width digits, star and hash', '１＊２＃', '1*2#'],
  ['Arabic-Indic digits', '٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['Persian digits', '۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['Devanagari digits', '०१२३४५६७८९', '0123456789'],
  ['mathematical digits, of which five sets follow each other', '𝟎𝟗𝟘𝟡𝟢𝟫𝟬𝟵𝟶𝟿', '0909090909'],
  ['NUL and control characters', 'Ma\u0000ry\u0007\u001b\u009f', 'Mary'],
  ['line breaks and tabs become spaces', 'Mary\nAnn\tJones\u2028x', 'Mary Ann Jones x'],
  ['no-break and ideographic spaces', 'Mary\u00a0Ann\u3000', 'Mary Ann'],
  ['direction marks', '\u202e\u2066abc\u2069\u200f', 'abc'],
  ['zero-width characters and soft hyphens', 'a\u200bb\u200d\u2060c\ufeff\u00ad', 'abc'],
  ['halves of surrogate pairs', 'a\ud83d\ude00b\ud83d', 'a😀b'],
  ['composed form', 'e\u0301', 'é'],
  ['names in other scripts stay', 'مريم 日本 Ẽnoch', 'مريم 日本 Ẽnoch'],
  ['nothing but invisible characters is nothing', '\u200b\u202e\u0000', ''],
])('%s', (_, typed, clean) => {
  expect(cleanInput(typed)).toBe(clean)
})

it('maps every digit of Unicode to its value', () => {
  const digits = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter(point => point < 0xd800 || point > 0xdfff)
    .map(point => String.fromCodePoint(point))
    .filter(character => /\p{Nd}/u.test(character))
  expect(digits.length).toBeGreaterThan(600)
  const read = digits.map(cleanInput)
  expect(read.join('')).toMatch(/^(0123456789)+$/)
  for (const [index, digit] of digits.entries()) {
    const known = digit.normalize('NFKC')
    if (/^[0-9]$/.test(known)) expect(read[index]).toBe(known)
  }
})

it('reduces foreign text to one harmless line, and keeps joining characters', () => {
  expect(cleanLine(' a\n1. b\u202e\u0000 👨‍👩‍👧 ')).toBe('a 1. b 👨‍👩‍👧')
  expect(cleanLines('a\u0007\r\n b\u2028c')).toBe('a\nb\nc')
})
