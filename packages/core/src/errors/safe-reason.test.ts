import { ToolFailure } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { safeReason } from './safe-reason.ts'

test('shows the text of public errors, and only the name of others', () => {
  expect(safeReason(new ToolFailure('The server is down.'))).toBe('The server is down.')
  expect(safeReason(new TypeError('password is hunter2'))).toBe('failed with TypeError, details in the log')
  expect(safeReason('hunter2')).toBe('failed with a string instead of an error')
  expect(safeReason(undefined)).toBe('failed with nothing instead of an error')
})

test('omits invalid error names', () => {
  const error = new Error('x')
  error.name = 'secret: hunter2'
  expect(safeReason(error)).toBe('failed with an error, details in the log')
})
