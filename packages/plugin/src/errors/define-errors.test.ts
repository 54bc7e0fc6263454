import { expect, expectTypeOf, test, vi } from 'vitest'
import { defineErrors, defineToolFailures } from './define-errors.ts'
import { isOracleError, isToolFailure } from './is-error.ts'
import { OracleError } from './oracle-error.ts'
import { ToolFailure } from './tool-failure.ts'

const errors = defineErrors({
  tide_unknown: { status: 404, message: 'There is no tide table. Load one with POST /tides.' },
  tide_invalid: { status: 400, message: 'The tide at {port} is invalid: {reason}. Send one of {allowed}.' },
  tide_invalid_day: { code: 'tide_invalid', status: 400, message: 'The day {day} is over. Send a later day.' },
  tide_failed: { message: 'Send {"port":"Dover"} to /tides/{id}, failed {id} times.' },
})
const failures = defineToolFailures({ port_closed: { status: 409, message: '{port} is closed. Choose another port.' } })

test('an error carries the code, the status and the filled message', () => {
  const error = errors.tide_invalid({ port: 'Dover', reason: 'below 0', allowed: ['1', '2'] })
  expect(error).toBeInstanceOf(OracleError)
  expect(error).toMatchObject({
    name: 'TideInvalid',
    code: 'tide_invalid',
    status: 400,
    message: 'The tide at Dover is invalid: below 0. Send one of 1, 2.',
    facts: { port: 'Dover', reason: 'below 0', allowed: ['1', '2'] },
    issues: undefined,
  })
  expect(isToolFailure(error)).toBe(false)
})

test('parameters are inferred from the message', () => {
  expectTypeOf(errors.tide_unknown).parameter(0).toExtend<{ cause?: unknown } | undefined>()
  expectTypeOf(errors.tide_invalid).parameter(0).toHaveProperty('reason')
  // @ts-expect-error: the reason is missing
  expect(errors.tide_invalid({ port: 'Dover', allowed: [] }).message).toContain('{reason}')
  // @ts-expect-error: there is no such parameter
  expect(errors.tide_failed({ id: 3, port: 'Dover' }).message).toContain('{"port":"Dover"}')
  // @ts-expect-error: a parameter is text, a number or a list of texts
  expect(errors.tide_failed({ id: true }).message).toContain('true')
})

test('a repeated parameter is filled everywhere, and a value is never read as a template', () => {
  expect(errors.tide_failed({ id: '$& {id}' }).message).toBe(
    'Send {"port":"Dover"} to /tides/$& {id}, failed $& {id} times.',
  )
})

test('options come second, or first where the message has no parameters', () => {
  const cause = new Error('no disk')
  const issues = [{ path: '/port', message: 'is unknown' }]
  expect(errors.tide_unknown({ cause, issues })).toMatchObject({ cause, issues, facts: {} })
  expect(errors.tide_invalid_day({ day: 'Monday' }, { cause, facts: { tries: 3 } })).toMatchObject({
    cause,
    facts: { tries: 3 },
  })
  expect('cause' in errors.tide_unknown()).toBe(false)
})

test('the stack begins where the error was created', () => {
  const createHere = () => errors.tide_unknown()
  const [first, second] = createHere().stack!.split('\n')
  expect(first).toBe('TideUnknown: There is no tide table. Load one with POST /tides.')
  expect(second).toContain('createHere')
})

test('a status that is not defined is 500', () => {
  expect([errors.tide_failed.status, errors.tide_failed({ id: 1 }).status]).toEqual([500, 500])
})

test('errors are recognized by their code', () => {
  expect(errors.tide_invalid.is(errors.tide_invalid_day({ day: 'Monday' }))).toBe(true)
  expect(errors.tide_invalid.is(errors.tide_unknown())).toBe(false)
  expect(errors.tide_invalid.is(Object.assign(new Error('x'), { code: 'tide_invalid' }))).toBe(false)
  expect(errors.tide_invalid.is(undefined)).toBe(false)
})

test('the model may read the message of a tool failure', () => {
  const failure = failures.port_closed({ port: 'Dover' })
  expect(failure).toBeInstanceOf(ToolFailure)
  expect(failure).toMatchObject({ name: 'PortClosed', code: 'port_closed', status: 409, facts: { port: 'Dover' } })
  expect(String(failure)).toBe('Dover is closed. Choose another port.')
  expect([isToolFailure(failure), isOracleError(failure)]).toEqual([true, true])
})

test('two copies of the package recognize the errors of each other', async () => {
  vi.resetModules()
  const other = await import('./define-errors.ts')
  const kinds = await import('./is-error.ts')
  const classes = await import('./oracle-error.ts')
  expect(classes.OracleError).not.toBe(OracleError)

  const otherErrors = other.defineErrors({ tide_unknown: { status: 404, message: 'No tide. Load one.' } })
  const otherFailures = other.defineToolFailures({ port_closed: { message: '{port} is closed. Choose another.' } })
  const [error, failure] = [otherErrors.tide_unknown(), otherFailures.port_closed({ port: 'Dover' })]
  expect(error).not.toBeInstanceOf(OracleError)
  expect([isOracleError(error), isToolFailure(error), error.code]).toEqual([true, false, 'tide_unknown'])
  expect([isOracleError(failure), isToolFailure(failure), failure.code]).toEqual([true, true, 'port_closed'])
  expect(errors.tide_unknown.is(error)).toBe(true)
  expect(otherErrors.tide_unknown.is(errors.tide_unknown())).toBe(true)
  expect(kinds.isToolFailure(failures.port_closed({ port: 'Dover' }))).toBe(true)
})
