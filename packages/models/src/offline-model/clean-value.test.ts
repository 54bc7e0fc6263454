import { expect, test } from 'vitest'
import { cleanValue } from './clean-value.ts'

test.each([
  ['“Berlin” right now?', 'city', 'Berlin'],
  ['(Berlin)', 'city', 'Berlin'],
  ['{Berlin}', 'city', 'Berlin'],
  ['Berlin today', 'text', 'Berlin today'],
  ['{"hours": 4}.', 'data', '{"hours": 4}'],
  ['{"site": {"name": "now"}}', 'data', '{"site": {"name": "now"}}'],
])('%s as %s is %s', (raw, placeholder, value) => {
  expect(cleanValue(raw, placeholder)).toBe(value)
})
