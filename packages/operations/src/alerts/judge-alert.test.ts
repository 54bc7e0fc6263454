import { describe, expect, test } from 'vitest'
import { judgeAlert } from './judge-alert.ts'

const minute = 60_000
const alert = {
  comparison: 'above',
  threshold: 5,
  minutes: 3,
  quietMinutes: 60,
  state: 'ok',
  since: null,
  notified: false,
  notifiedAt: null,
} as const

const fired = { kind: 'fired', isNotified: true }

test('a value of the last minutes fires at once, a value of the moment once it stayed beyond the threshold', () => {
  expect(judgeAlert(alert, 6, true, minute)).toMatchObject({ state: 'firing', event: fired })
  const first = judgeAlert(alert, 6, false, 10 * minute)
  expect(first).toEqual({ state: 'ok', since: 10 * minute, notified: false, notifiedAt: null })
  const second = judgeAlert({ ...alert, ...first }, 7, false, 11 * minute)
  expect(second.state).toBe('ok')
  expect(judgeAlert({ ...alert, ...second }, 7, false, 12 * minute)).toMatchObject({ state: 'firing', event: fired })
  expect(judgeAlert({ ...alert, ...second }, 5, false, 12 * minute)).toMatchObject({ state: 'ok', since: null })
})

test('compares in both directions; the threshold itself and no value are not beyond it', () => {
  const below = { ...alert, comparison: 'below' } as const
  expect(judgeAlert(below, 4, true, 0).state).toBe('firing')
  for (const one of [alert, below]) {
    expect(judgeAlert(one, 5, true, 0).state).toBe('ok')
    expect(judgeAlert(one, undefined, true, 0).state).toBe('ok')
  }
})

describe('in the quiet period', () => {
  const quiet = { ...alert, notifiedAt: 0 }
  test('a firing and its end are only recorded', () => {
    const firing = judgeAlert(quiet, 6, true, 10 * minute)
    expect(firing).toMatchObject({ state: 'firing', notified: false, event: { kind: 'fired', isNotified: false } })
    expect(judgeAlert({ ...quiet, ...firing }, 4, true, 11 * minute)).toMatchObject({
      state: 'ok',
      event: { kind: 'resolved', isNotified: false },
    })
  })
  test('a firing that outlasts it is notified then, once', () => {
    const firing = { ...quiet, ...judgeAlert(quiet, 6, true, 10 * minute) }
    expect(judgeAlert(firing, 6, true, 59 * minute)).not.toHaveProperty('event')
    const notified = judgeAlert(firing, 6, true, 60 * minute)
    expect(notified).toMatchObject({ notified: true, notifiedAt: 60 * minute, event: fired })
    expect(judgeAlert({ ...firing, ...notified }, 6, true, 500 * minute)).not.toHaveProperty('event')
  })
})

test('the end of a notified firing is notified', () => {
  const firing = { ...alert, ...judgeAlert(alert, 6, true, 0) }
  expect(judgeAlert(firing, 4, true, minute).event).toEqual({ kind: 'resolved', isNotified: true })
})
