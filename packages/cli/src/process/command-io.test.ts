import { expect, test } from 'vitest'
import { sized } from './command-io.ts'

test('a terminal of unknown size has the default size', () => {
  expect(sized({ isTTY: true, columns: 0, rows: 0 })).toEqual({ isTTY: true, columns: 80, rows: 24 })
  expect(sized({ isTTY: true, columns: 40, rows: 10 })).toEqual({ isTTY: true, columns: 40, rows: 10 })
  expect(sized({})).toEqual({})
})
