import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pause } from './pause.ts'
import { backoff, retry } from './retry.ts'
import { timeErrors, withTimeout } from './with-timeout.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  await nextTurn()
  return (await Promise.race([promise.catch(() => {}), 'pending'])) === 'pending'
}

describe('pause', () => {
  test('waits as long as it says', async () => {
    const waiting = pause(1_000)
    await vi.advanceTimersByTimeAsync(999)
    expect(await isPending(waiting)).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
  })

  test('rejects with the reason once the signal aborts, before and during', async () => {
    const ending = new AbortController()
    const waiting = pause(1_000, ending.signal)
    ending.abort('over')
    await expect(waiting).rejects.toBe('over')
    await expect(pause(1_000, ending.signal)).rejects.toBe('over')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a delay beyond the range of timers does not end immediately', async () => {
    expect(await isPending(pause(2 ** 40))).toBe(true)
  })
})

describe('withTimeout', () => {
  test('returns the result in time, and leaves no timer behind', async () => {
    expect(await withTimeout(() => 7, { timeoutMs: 1_000 })).toBe(7)
    expect(await withTimeout(async () => 7, { timeoutMs: 1_000 })).toBe(7)
    await expect(withTimeout(() => Promise.reject(new Error('x')), { timeoutMs: 1_000 })).rejects.toThrow('x')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('rejects work that takes too long, even if it ignores its signal', async () => {
    let aborted: unknown
    const late = withTimeout(
      signal => {
        signal.addEventListener('abort', () => (aborted = signal.reason))
        return new Promise(() => {})
      },
      { timeoutMs: 1_500 },
    )
    const outcome = late.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(await outcome).toMatchObject({
      code: 'timed_out',
      status: 504,
      message: 'It took longer than 1.5 s. Try again later.',
    })
    expect(timeErrors.timed_out.is(aborted)).toBe(true)
  })

  test('rejects with its own error', async () => {
    const late = withTimeout(() => new Promise(() => {}), { timeoutMs: 1, error: () => new Error('no tide') })
    const outcome = late.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toEqual(new Error('no tide'))
  })

  test('rejects with the reason once the signal aborts', async () => {
    const ending = new AbortController()
    const waiting = withTimeout(signal => pause(9_000, signal), { timeoutMs: 1_000, signal: ending.signal })
    ending.abort('over')
    await expect(waiting).rejects.toBe('over')
    const work = vi.fn()
    await expect(withTimeout(work, { timeoutMs: 1_000, signal: ending.signal })).rejects.toBe('over')
    expect(work).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('backoff', () => {
  test('doubles up to the longest delay', () => {
    const delayMs = backoff({ firstMs: 500, maxMs: 3_000, jitter: 0 })
    expect([1, 2, 3, 4, 5_000].map(delayMs)).toEqual([500, 1_000, 2_000, 3_000, 3_000])
  })

  test('leaves a share to chance', () => {
    const delays = [0, 0.5, 0.75].map(value =>
      backoff({ firstMs: 1_000, maxMs: 9_000, jitter: 0.5, random: () => value })(1),
    )
    expect(delays).toEqual([1_000, 750, 625])
  })
})

describe('retry', () => {
  const failing = (times: number) =>
    vi.fn(async (attempt: number) => {
      if (attempt <= times) throw new Error(`failure ${attempt}`)
      return `worked at ${attempt}`
    })

  test('runs until it works, with a delay after each failure', async () => {
    const onRetry = vi.fn()
    const work = failing(2)
    const result = retry(work, { attempts: 3, delayMs: failures => failures * 100, onRetry })
    await vi.advanceTimersByTimeAsync(100)
    expect(work).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(200)
    expect(await result).toBe('worked at 3')
    expect(onRetry.mock.calls.map(([error, ...rest]) => [error.message, ...rest])).toEqual([
      ['failure 1', 1, 100],
      ['failure 2', 2, 200],
    ])
  })

  test('throws the last error after the last attempt, and permanent errors immediately', async () => {
    await expect(retry(failing(9), { attempts: 3 })).rejects.toThrow('failure 3')
    const work = failing(9)
    await expect(retry(work, { attempts: 3, shouldRetry: () => false })).rejects.toThrow('failure 1')
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('the delay may follow from the error', async () => {
    const delayMs = vi.fn((_failures: number, error: unknown) => Number((error as Error).message.slice(-1)))
    const result = retry(failing(1), { attempts: 2, delayMs })
    await vi.advanceTimersByTimeAsync(1)
    expect(await result).toBe('worked at 2')
  })

  test('ends once the signal aborts, in a delay and in an attempt', async () => {
    const ending = new AbortController()
    const waiting = retry(failing(9), {
      attempts: Number.POSITIVE_INFINITY,
      delayMs: () => 60_000,
      signal: ending.signal,
    })
    await nextTurn()
    ending.abort('over')
    await expect(waiting).rejects.toBe('over')
    const work = failing(0)
    await expect(retry(work, { attempts: 2, signal: ending.signal })).rejects.toBe('over')
    expect(work).not.toHaveBeenCalled()
  })
})
