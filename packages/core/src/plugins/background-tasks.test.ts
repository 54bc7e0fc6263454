import { ToolFailure } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { describe, expect, test } from 'vitest'
import { type BackgroundTask, BackgroundTasks } from './background-tasks.ts'

const make = (timeLimitMs = 10_000) => {
  const settled: BackgroundTask[] = []
  const log = recordedLogger()
  const tasks = new BackgroundTasks({ log, timeLimitMs })
  return { tasks, begin: () => tasks.begin(task => settled.push(task)), settled, log }
}

describe('a background task', () => {
  test('waits for begin, is pending, and then loaded', async () => {
    const { tasks, begin, settled } = make()
    const { promise: login, resolve: loggedIn } = Promise.withResolvers<void>()
    let started = false
    tasks.add('matrix', 'sync', async () => {
      started = true
      await login
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(started).toBe(false)
    expect(tasks.list()).toEqual([{ plugin: 'matrix', name: 'sync', state: 'pending' }])
    begin()
    await expect.poll(() => started).toBe(true)
    expect(tasks.list()[0]?.state).toBe('pending')
    loggedIn()
    await tasks.settled()
    expect(tasks.list()).toEqual([{ plugin: 'matrix', name: 'sync', state: 'loaded', durationMs: expect.any(Number) }])
    expect(settled).toEqual(tasks.list())
  })

  test.each([
    ['rejects', () => Promise.reject(new TypeError('hunter2')), 'failed with TypeError, details in the log'],
    [
      'throws',
      () => {
        throw new ToolFailure('The homeserver refused the login.')
      },
      'The homeserver refused the login.',
    ],
    ['hangs', () => new Promise<void>(() => {}), 'did not start within 0.05 s'],
    ['is no function', 'soon' as never, 'failed with TypeError, details in the log'],
  ])('that %s is failed with a safe reason, and its signal aborts', async (_, start, reason) => {
    const { tasks, begin, settled } = make(50)
    let signal: AbortSignal | undefined
    const watched = (given: AbortSignal) => {
      signal = given
      return (start as (signal: AbortSignal) => Promise<void>)(given)
    }
    tasks.add('matrix', 'sync', watched)
    begin()
    await tasks.settled()
    expect(settled).toEqual([
      { plugin: 'matrix', name: 'sync', state: 'failed', reason, durationMs: expect.any(Number) },
    ])
    expect(signal?.aborted).toBe(true)
  })

  test('that fails does not affect others, and its error is logged', async () => {
    const { tasks, begin, log } = make()
    const error = new Error('details')
    tasks.add('a', 'one', () => Promise.reject(error))
    tasks.add('b', 'two', async () => {})
    begin()
    await tasks.settled()
    expect(tasks.list().map(({ state }) => state)).toEqual(['failed', 'loaded'])
    expect(log.lines).toMatchObject([{ level: 'error', fields: { plugin: 'a', task: 'one', error } }])
  })

  test('that is added after begin starts immediately, and settled waits for it', async () => {
    const { tasks, begin } = make()
    tasks.add('a', 'one', async () => tasks.add('a', 'two', () => new Promise(resolve => setImmediate(resolve))))
    begin()
    await tasks.settled()
    expect(tasks.list().map(({ state }) => state)).toEqual(['loaded', 'loaded'])
  })

  test('an error thrown by a listener is contained', async () => {
    const log = recordedLogger()
    const tasks = new BackgroundTasks({ log })
    tasks.add('a', 'one', async () => {})
    tasks.begin(() => {
      throw new Error('x')
    })
    await tasks.settled()
    expect(tasks.list()[0]?.state).toBe('loaded')
    expect(log.lines).toMatchObject([{ level: 'error' }])
  })
})

describe('stop', () => {
  test('aborts pending and loaded tasks, and reports nothing afterwards', async () => {
    const { tasks, begin, settled } = make()
    const signals: AbortSignal[] = []
    tasks.add('a', 'loaded', async signal => void signals.push(signal))
    begin()
    await tasks.settled()
    const unwound: string[] = []
    tasks.add('b', 'pending', async signal => {
      signals.push(signal)
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      unwound.push('b')
    })
    await expect.poll(() => signals.length).toBe(2)
    await tasks.close()
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    expect(unwound).toEqual(['b'])
    expect(settled.map(({ plugin }) => plugin)).toEqual(['a'])
    await tasks.settled()
  })

  test('before begin starts nothing', async () => {
    const { tasks, begin } = make()
    let started = false
    tasks.add('a', 'one', async () => {
      started = true
    })
    await tasks.close()
    begin()
    tasks.add('a', 'two', async () => {
      started = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(started).toBe(false)
  })
})
