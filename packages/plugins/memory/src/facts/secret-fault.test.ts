import { createMnemonic } from '@sibyl/identity'
import { expect, test } from 'vitest'
import { secretFault } from './secret-fault.ts'

const words = createMnemonic(12).reveal()

test.each([
  [words, 'a recovery phrase'],
  [`my wallet: ${createMnemonic(24).reveal().toUpperCase()}!`, 'a recovery phrase'],
  [`1. ${words.split(' ').join(' 2. ')}`, 'a recovery phrase'],
  [JSON.stringify(words.split(' ')), 'a recovery phrase'],
  [words.split(' ').join(' - '), 'a recovery phrase'],
  [
    words
      .split(' ')
      .map((word, place) => `#${place + 1}: ${word}`)
      .join(' '),
    'a recovery phrase',
  ],
  [
    words
      .split(' ')
      .join(', ')
      .replace(/, (\w+)$/, ' and $1'),
    'a recovery phrase',
  ],
  ['the seed phrase is legal winner thank', 'a recovery phrase'],
  ['-----BEGIN OPENSSH PRIVATE KEY----- b3Bl', 'a key or token'],
  [`use sk-proj-${'a1'.repeat(20)} for it`, 'a key or token'],
  [`ghp_${'Ab3'.repeat(12)}`, 'a key or token'],
  ['AKIAIOSFODNN7EXAMPLE', 'a key or token'],
  [`0x${'0123456789abcdef'.repeat(4)}`, 'a key or token'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'a key or token'],
  ['my card is 4111 1111 1111 1111', 'a card number'],
  ['5500-0000-0000-0004 until May', 'a card number'],
  ['3782 822463 10005', 'a card number'],
  ['my card: 4111111111111111', 'a card number'],
  ['visa 4111 1111 1111 1111 12/27 123', 'a card number'],
  ['my PIN is 4711', 'a PIN'],
  ['TAN 482910', 'a PIN'],
  ['the pin code of the bank: 92831', 'a PIN'],
  ['my password is hunter2', 'a password'],
  ['Password: "correct horse"', 'a password'],
])('%j has a secret in it', (text, fault) => {
  expect(secretFault(text)).toBe(fault)
})

test.each([
  'Ada is allergic to nuts',
  'The password is in the red book',
  'Ada pins her hair up at 7 in the morning',
  'Order number 4111 1111 1111 1112',
  'Her phone number is +260 971 234 567',
  'The meter shows 1234567890123',
  'The meter shows 3000000000004',
  'The phone has the IMEI 490154203237518',
  'The token for the meter was 4111 1111 1111 1111 1234',
  'Call +4111 1111 1111 11',
  'Mrs Tan lives at 1204 Main Street',
  'The tan sofa cost 450 dollars',
  'Her password manager is 1Password',
  'The old teacher walks every morning along the river with his brown dog and buys fresh bread from the bakery',
  'commit 3f2504e04f8911d39a0c0305e82c3301',
  'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  'Skype: sk-nobody-has-such-a-long-name-here',
  'He keeps the key under the mat',
])('%j has none', text => {
  expect(secretFault(text)).toBeUndefined()
})
