import { expect, test } from 'vitest'
import { isCustomerId, randomCustomerId } from './customer-id.ts'

test('IDs have nine digits, the last one a check digit', () => {
  const ids = Array.from({ length: 500 }, randomCustomerId)
  expect(ids.every(isCustomerId)).toBe(true)
  expect(new Set(ids).size).toBeGreaterThan(490)
})

test('detects a mistyped digit, and adjacent digits that are swapped', () => {
  const id = '123456782'
  expect(isCustomerId(id)).toBe(true)
  for (let at = 0; at < id.length; at++) {
    for (const digit of '0123456789') {
      if (digit !== id[at]) expect(isCustomerId(id.slice(0, at) + digit + id.slice(at + 1))).toBe(false)
    }
    const [one, other] = [id[at], id[at + 1]]
    if (other !== undefined && one !== other && !['09', '90'].includes(`${one}${other}`)) {
      expect(isCustomerId(id.slice(0, at) + other + one + id.slice(at + 2))).toBe(false)
    }
  }
})

test.each(['', '12345678', '1234567820', '023456780', '12345678a', '１２３４５６７８２', ' 123456782'])(
  '%j is not an ID',
  text => {
    expect(isCustomerId(text)).toBe(false)
  },
)
