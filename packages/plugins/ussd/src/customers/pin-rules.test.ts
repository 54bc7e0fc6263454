import { expect, test } from 'vitest'
import { pinViolation, randomPin } from './pin-rules.ts'

test.each(['', '123', '1234567', '12a4', ' 8305', '８３０５', '83 05', '8305\n', '-305'])('%j is not a PIN', pin => {
  expect(pinViolation(pin)).toBe('form')
})

test.each([
  ['a run', '1234 4321 0123 7890 9876 12345 654321 456789 1357 8642'],
  ['a repetition', '0000 1111 777777 1212 6969 123123 454545 99999'],
  ['four digits alike', '000097 91111 344445'],
  ['pairs', '1122 7788 112233'],
  ['mirrored', '1221 5005 123321'],
  ['a year', '1984 2001 2027 1900'],
  ['well known', '2580 0852 1004 147258 159753 102030'],
])('%s is weak', (_what, pins) => {
  for (const pin of pins.split(' ')) expect([pin, pinViolation(pin)]).toEqual([pin, 'weak'])
})

test.each(['8305', '40617', '928406', '0385'])('%s is accepted', pin => {
  expect(pinViolation(pin)).toBeUndefined()
})

test('digits of the own phone number are weak, and so is the beginning of the own customer ID', () => {
  const owner = { phoneNumber: '+260971830549', customerId: '406172839' }
  for (const pin of ['8305', '0549', '30549', '4061', '406172']) expect(pinViolation(pin, owner)).toBe('weak')
  for (const pin of ['8304', '6172']) expect(pinViolation(pin, owner)).toBeUndefined()
})

test('accepts most PINs', () => {
  const refused = Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0')).filter(pin =>
    pinViolation(pin),
  )
  expect(refused.length).toBeLessThan(700)
})

test('random PINs are six digits that are not weak', () => {
  const owner = { phoneNumber: '+260971830549', customerId: '406172839' }
  const pins = Array.from({ length: 300 }, () => randomPin(owner))
  for (const pin of pins) expect([pin.length, pinViolation(pin, owner)]).toEqual([6, undefined])
  expect(new Set(pins).size).toBeGreaterThan(290)
})
