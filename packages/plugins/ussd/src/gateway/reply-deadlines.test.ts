import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReplyDeadlines } from './reply-deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<string>(() => {})

test('each reply has the same time, and one that is in time is returned', async () => {
  const deadlines = new ReplyDeadlines(1_000)
  const ends: string[] = []
  const wait = (name: string, reply: Promise<string>) =>
    deadlines
      .within(reply, () => new Error('late'))
      .then(
        text => ends.push(`${name} ${text}`),
        error => ends.push(`${name} ${error.message}`),
      )
  const second = Promise.withResolvers<string>()
  void wait('first', never())
  void wait('second', second.promise)
  void wait('failed', Promise.reject(new Error('away')))
  await vi.advanceTimersByTimeAsync(600)
  expect(ends).toEqual(['failed away'])
  void wait('third', never())
  second.resolve('Welcome')
  await vi.advanceTimersByTimeAsync(399)
  expect(ends).toEqual(['failed away', 'second Welcome'])
  await vi.advanceTimersByTimeAsync(2)
  expect(ends.slice(2)).toEqual(['first late'])
  await vi.advanceTimersByTimeAsync(598)
  expect(ends.slice(2)).toEqual(['first late'])
  await vi.advanceTimersByTimeAsync(2)
  expect(ends.slice(2)).toEqual(['first late', 'third late'])
  void wait('fourth', never())
  await vi.advanceTimersByTimeAsync(1_001)
  expect(ends.at(-1)).toBe('fourth late')
})
