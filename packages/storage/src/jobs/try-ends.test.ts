import { expect, test } from 'vitest'
import { backOffDelay } from './try-ends.ts'

const backOff = { backOffMs: 1_000, maxBackOffMs: 60_000 }

test.each([
  [1, 0, 1_000],
  [1, 1, 1_250],
  [2, 0, 2_000],
  [6, 0, 32_000],
  [7, 0, 60_000],
  [1_000, 1, 75_000],
])('waits after try %i, with chance %d, for %i ms', (attempt, chance, expected) => {
  expect(backOffDelay(backOff, attempt, chance)).toBe(expected)
})
