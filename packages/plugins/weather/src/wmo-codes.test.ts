import { expect, test } from 'vitest'
import { conditionsOf } from './open-meteo.ts'

// https://open-meteo.com/en/docs, "Weather variable documentation"
const documented = [
  0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99,
]

test('every code that Open-Meteo documents has its own text', () => {
  const words = documented.map(conditionsOf)
  expect(words).not.toContain('unknown conditions')
  expect(new Set(words).size).toBe(documented.length)
})

test('61 is slight rain', () => {
  expect(conditionsOf(61)).toBe('slight rain')
})

test.each([4, 100, -1, 61.5, Number.NaN])('%s is not one of their codes', code => {
  expect(conditionsOf(code)).toBe('unknown conditions')
})
