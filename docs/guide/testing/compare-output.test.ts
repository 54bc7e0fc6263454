import { expect, test } from 'vitest'
import { outputViolation } from './compare-output.ts'

const came = `Made at 2026-11-21T09:17:23.741Z by did:key:z6MkpTHR8VNsBxYAAWHut2
        · look   12 ms   +2 tools, 212 tokens
oracle  It is 14 °C.
- ffghzltgwcmm, 2026-11-22: it rains
Remembered as ffghzltgwcmm: it rains
reports/pump.md, 27 bytes, 2026-11-23
`

test.each([
  ['Made at 2020-01-01T00:00:00Z by did:key:z6Mkv…PSS', '· look 3 ms +2 tools, 9 tokens', 'oracle  It is 14 °C.', '…'],
  ['…', '- f8sop78l9hqv, 2026-11-21: it rains', 'Remembered as f8sop78l9hqv: it rains', '…'],
  ['…', 'reports/pump.md, 27 bytes, 2026-11-22'],
  ['Made at…', '…'],
  ['…', '· look…', 'oracle  It…', '…'],
])('agrees with %j', (...shown) => {
  expect(outputViolation(shown, came)).toBeUndefined()
})

test.each([
  ['…', 'oracle  It is 15 °C.'],
  ['Made at…', 'oracle  It is 14 °C.'],
  ['Made at…'],
  ['…', 'oracle  It is 14 °C.', '…', 'and more'],
  ['…', '· look 3 ms +3 tools, 9 tokens', '…'],
])('disagrees with %j', (...shown) => {
  expect(outputViolation(shown, came)).toEqual(expect.any(String))
})
