import { expect, test } from 'vitest'
import { BootError, type BootProblem } from './boot-error.ts'
import { OracleError } from './oracle-error.ts'

const problem = (headline: string): BootProblem => ({ code: 'env_invalid', headline, lines: ['Fix it in .env.'] })

test('contains every problem once, in order, also in its text', () => {
  const error = new BootError([problem('one'), problem('two'), problem('one')])
  expect(error).toBeInstanceOf(OracleError)
  expect(error.code).toBe('boot_failed')
  expect(error.problems.map(({ headline }) => headline)).toEqual(['one', 'two'])
  expect(error.message).toBe('one\n  Fix it in .env.\ntwo\n  Fix it in .env.\n2 problems; the oracle did not start.')
})

test('counts a single problem as one', () => {
  expect(new BootError([problem('one')]).message).toContain('1 problem; the oracle did not start.')
})
