import { expect, test } from 'vitest'
import { passphraseViolation } from './passphrase-steps.ts'

test.each(['', 'short', '123456789'])('%j is too short', passphrase => {
  expect(passphraseViolation(passphrase)).toBe('Use at least 10 characters.')
})

test.each([
  'aaaaaaaaaaaa',
  '1234567890',
  'Password123',
  'qwertzuiop',
  'abcabcabcabc',
  'MyPassword1!',
  '          ',
  'sibyloracle1',
])('%j is easy to guess', passphrase => {
  expect(passphraseViolation(passphrase)).toContain('easy to guess')
})

test.each([
  'correct horse battery',
  'vier Wörter am Bach',
  'пароль на бумаге',
  '7h2k-9qmx-4b',
  'mein Passwort: Kranich Öl',
])('%j is accepted', passphrase => {
  expect(passphraseViolation(passphrase)).toBeUndefined()
})
