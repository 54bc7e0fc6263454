import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

const make = () => {
  const changes: string[] = []
  let now = 0
  const breaker = new CircuitBreaker({
    failures: 3,
    openMs: 1_000,
    now: () => now,
    changed: state => void changes.push(state),
  })
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) breaker.admit()?.failed()
  }
  const wait = (ms: number) => {
    now += ms
  }
  return { breaker, changes, fail, wait }
}

test('so many failures in a row open it, one that worked between them does not let it come to that', () => {
  const { breaker, fail, changes } = make()
  fail(2)
  breaker.admit()?.worked()
  fail(2)
  expect(breaker.state).toBe('closed')
  fail(1)
  expect([breaker.state, breaker.admit(), changes]).toEqual(['open', undefined, ['open']])
})

test('a refusal neither counts nor forgives, and neither does a call that was called off', () => {
  const { breaker, fail } = make()
  fail(2)
  breaker.admit()?.answered()
  breaker.admit()?.dropped()
  expect(breaker.state).toBe('closed')
  fail(1)
  expect(breaker.state).toBe('open')
})

test('a provider that answers and then breaks off opens it too', () => {
  const { breaker } = make()
  for (let time = 0; time < 3; time += 1) {
    const pass = breaker.admit()
    pass?.answered()
    pass?.failed()
  }
  expect(breaker.state).toBe('open')
})

test('after the pause one call passes as a probe: it closes it or opens it again', () => {
  const { breaker, fail, wait, changes } = make()
  fail(3)
  wait(999)
  expect(breaker.admit()).toBeUndefined()
  wait(1)
  const probe = breaker.admit()
  expect([breaker.state, breaker.admit()]).toEqual(['half-open', undefined])
  probe?.failed()
  expect([breaker.state, breaker.admit()]).toEqual(['open', undefined])
  wait(1_000)
  breaker.admit()?.worked()
  expect([breaker.state, changes]).toEqual(['closed', ['open', 'closed']])
  fail(2)
  expect(breaker.state).toBe('closed')
})

test('a probe that began to answer closes it, but the next failure opens it again', () => {
  const { breaker, fail, wait } = make()
  fail(3)
  wait(1_000)
  const probe = breaker.admit()
  probe?.answered()
  expect(breaker.state).toBe('closed')
  probe?.failed()
  expect(breaker.state).toBe('open')
})

test('a probe that was called off makes room for the next', () => {
  const { breaker, fail, wait } = make()
  const early = breaker.admit()
  fail(3)
  wait(1_000)
  const probe = breaker.admit()
  early?.dropped()
  expect(breaker.admit()).toBeUndefined()
  probe?.dropped()
  expect(breaker.admit()).toBeDefined()
})
