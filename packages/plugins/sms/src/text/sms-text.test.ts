import { maskPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import { expect, test } from 'vitest'
import { answerText } from '../inbox/define-answering.ts'
import { readSender } from '../numbers/phone-number.ts'
import { smsParts } from './sms-parts.ts'
import { timesPrice } from './times-price.ts'

test.each([
  ['a'.repeat(160), 'gsm7', 1],
  ['a'.repeat(161), 'gsm7', 2],
  ['a'.repeat(306), 'gsm7', 2],
  ['a'.repeat(307), 'gsm7', 3],
  ['€'.repeat(80), 'gsm7', 1],
  // 153 septets hold 76 characters of two: the 77th goes whole into the next part.
  ['€'.repeat(153), 'gsm7', 3],
  ['ж'.repeat(70), 'ucs2', 1],
  ['ж'.repeat(71), 'ucs2', 2],
  ['ж'.repeat(134), 'ucs2', 2],
  ['🙂'.repeat(35), 'ucs2', 1],
  ['🙂'.repeat(67), 'ucs2', 3],
  ['', 'gsm7', 1],
  ['e\u0301'.repeat(160), 'gsm7', 1],
])('%s is %s in %i parts', (text, encoding, parts) => {
  expect(smsParts(text)).toEqual({ encoding, parts })
})

test('answers are plain, and of three parts at most whatever comes', () => {
  expect(answerText('# Rain\n* **Berlin**: [slight](https://example.org) 🌧\n\n```\ncode_x\n```')).toBe(
    'Rain\n- Berlin: slight\ncode_x',
  )
  expect(answerText('‮hidden​')).toBe('hidden')
  for (const character of ['a', '€', 'ж', '🙂a', 'one word ', 'A sentence. ', '\ud800'])
    expect(smsParts(answerText(character.repeat(2_000))).parts, character).toBeLessThanOrEqual(3)
})

test('numbers are read as people and providers write them, and shown masked', () => {
  for (const text of ['+260 97 123-4567', '00260971234567', '+260(97)1234567'])
    expect(readPhoneNumber(text)).toBe('+260971234567')
  for (const text of ['0971234567', '+0971234567', '+26097', '', '+2609712345678901', '+26097x']) {
    expect(readPhoneNumber(text)).toBeUndefined()
  }
  expect(readSender('260971234567')).toBe('+260971234567')
  for (const text of ['+6834002', '+69012345', '+29022158', '+50021000', '+67712345', '+298123456']) {
    expect(readSender(text)).toBe(text)
    expect(readSender(text.slice(1))).toBe(text)
  }
  for (const text of [
    '20880',
    '2088012',
    '19123456',
    'MTN',
    '+20880',
    '+0834002',
    '+1234567890123456',
    'INFO260971234567',
  ])
    expect(readSender(text)).toBeUndefined()
  expect(maskPhone('+260971234567')).toBe('+26097•••4567')
  expect(maskPhone('+2609712')).not.toContain('9712')
})

test('prices are exact in decimals', () => {
  expect(timesPrice('0.8', 2, 2)).toBe('1.60')
  expect(timesPrice('1.005', 1, 2)).toBe('1.005')
  expect(timesPrice('0.1', 3, 2)).toBe('0.30')
  expect(timesPrice('0.00000001', 3, 4)).toBe('0.00000003')
  expect(timesPrice('5', 3, 0)).toBe('15')
  expect(timesPrice('9999999.99999999', 11, 2)).toBe('109999999.99999989')
})
