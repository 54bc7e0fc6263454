import { createTextRedactor, isSecretField, redacted } from '@sibyl/plugin/host'
import { describe, expect, test } from 'vitest'
import { plainFields } from './plain-fields.ts'

const secret = 'it\'s "s3cret" & <ü/+>'
const redact = createTextRedactor([secret])

describe('redacts a known secret', () => {
  const base64 = (before: string, after = '') => Buffer.from(before + secret + after).toString('base64')
  const lowerCase = (code: string) => code.toLowerCase()

  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ secret })],
    ['in JSON inside JSON', JSON.stringify(JSON.stringify({ secret }))],
    ['in a URL', `https://example.org/?key=${encodeURIComponent(secret)}`],
    ['in a URL with small letters', encodeURIComponent(secret).replace(/%../g, lowerCase)],
    ['in a form', new URLSearchParams({ secret }).toString()],
    ['in base64', base64('')],
    ['in base64 after one byte', base64('x', 'yz')],
    ['in base64 after two bytes', base64('xy', 'z')],
    ['in base64 after a user and a colon', base64('user:')],
    ['in base64url after five bytes', Buffer.from(`12345${secret}!`).toString('base64url')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in hexadecimal of capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('%s', (_, text) => {
    const left = redact(`before ${text} after`)
    expect(left).toMatch(/^before .*\[redacted\].* after$/)
    expect(left).not.toContain(text.slice(10, -6))
  })

  test('also if a long text is truncated within it', () => {
    for (let before = 1_960; before <= 2_000; before += 1) {
      const { text } = plainFields(
        { text: `${'x'.repeat(before)}${secret}${'y'.repeat(9_000)}` },
        { redact, stacks: false },
      )
      expect(text).not.toContain('it')
      expect(text).toMatch(/… \(\d+ characters\)$/)
    }
  })

  test('handles secrets of any length and number', () => {
    const many = Array.from({ length: 6_000 }, (_, index) => `key-${index}-${'k'.repeat(10)}`)
    const long = many.join(',')
    const redact = createTextRedactor([long, ...many])
    expect(redact(`before ${long} after`)).toBe(`before ${redacted} after`)
    expect(redact(`${many.at(-1)} or ${Buffer.from(long).toString('hex')}`)).toBe(`${redacted} or ${redacted}`)
  })

  test('redacts nothing else', () => {
    const text = 'GET /sessions 200 in 4 ms; it has ordinary words, ZXhhbXBsZQ== and 6578616d706c65'
    expect(redact(text)).toBe(text)
    expect(redact(redacted)).toBe(redacted)
  })
})

test('fields that hold several secrets of a kind are secret by name as well', () => {
  for (const name of ['msisdn', 'msisdns', 'phones', 'phoneNumbers', 'phone_numbers', 'tokens', 'seeds']) {
    expect(isSecretField(name, 'x'), name).toBe(true)
  }
  expect(isSecretField('inputTokens', 7)).toBe(false)
})
