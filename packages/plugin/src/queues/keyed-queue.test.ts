import { expect, test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

/** Work under names, each of which ends when it is told to. */
const scripted = (queue: KeyedQueue) => {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    started,
    run(key: string, name: string, signal?: AbortSignal) {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      const work = () => {
        started.push(name)
        return end.promise
      }
      const result = queue.run(key, work, signal)
      result.catch(() => {})
      return result
    },
    async end(name: string, error?: Error) {
      const end = ends.get(name)!
      if (error) end.reject(error)
      else end.resolve(name)
      await new Promise(setImmediate)
    },
  }
}

test('work under one key runs in order, and under others at the same time', async () => {
  const work = scripted(new KeyedQueue())
  const results = [work.run('a', 'a1'), work.run('a', 'a2'), work.run('b', 'b1'), work.run('a', 'a3')]
  expect(work.started).toEqual(['a1', 'b1'])
  await work.end('a1')
  expect(work.started).toEqual(['a1', 'b1', 'a2'])
  await work.end('a2')
  await work.end('a3')
  await work.end('b1')
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('work that fails or throws does not prevent the next from running', async () => {
  const queue = new KeyedQueue()
  const work = scripted(queue)
  const failed = work.run('a', 'a1')
  const next = work.run('a', 'a2')
  await work.end('a1', new Error('no tide'))
  await expect(failed).rejects.toThrow('no tide')
  expect(work.started).toEqual(['a1', 'a2'])
  await work.end('a2')
  expect(await next).toBe('a2')
  const thrown = queue.run('a', () => {
    throw new Error('at once')
  })
  await expect(thrown).rejects.toThrow('at once')
  expect(await queue.run('a', async () => 7)).toBe(7)
})

test('no more than the concurrency runs, and keys take turns', async () => {
  const work = scripted(new KeyedQueue({ concurrency: 2 }))
  for (const [key, name] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1'],
    ['c', 'c1'],
  ] as const)
    work.run(key, name)
  expect(work.started).toEqual(['a1', 'b1'])
  await work.end('a1')
  expect(work.started).toEqual(['a1', 'b1', 'c1'])
  await work.end('b1')
  expect(work.started).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('rejects more than may wait', async () => {
  const work = scripted(new KeyedQueue({ concurrency: 1, maxWaiting: 1 }))
  work.run('a', 'a1')
  const waiting = work.run('b', 'b1')
  await expect(work.run('c', 'c1')).rejects.toMatchObject({
    code: 'queue_full',
    status: 503,
    message: 'More than 1 requests are waiting. Try again in a minute.',
  })
  await work.end('a1')
  expect(work.started).toEqual(['a1', 'b1'])
  work.run('c', 'c2')
  await work.end('b1')
  expect([await waiting, work.started]).toEqual(['b1', ['a1', 'b1', 'c2']])
})

test('gives up the wait once the signal aborts, and frees the place', async () => {
  const queue = new KeyedQueue({ concurrency: 1, maxWaiting: 2 })
  const work = scripted(queue)
  work.run('a', 'a1')
  const [first, second] = [new AbortController(), new AbortController()]
  const given = [work.run('b', 'b1', first.signal), work.run('a', 'a2', second.signal)]
  first.abort('b is over')
  second.abort('a is over')
  await expect(given[0]).rejects.toBe('b is over')
  await expect(given[1]).rejects.toBe('a is over')
  await expect(work.run('a', 'a3', first.signal)).rejects.toBe('b is over')
  work.run('b', 'b2')
  work.run('a', 'a4')
  await work.end('a1')
  await work.end('b2')
  expect(work.started).toEqual(['a1', 'b2', 'a4'])
  await work.end('a4')
  await queue.idle()
})

test('running work continues when its signal aborts', async () => {
  const work = scripted(new KeyedQueue())
  const ending = new AbortController()
  const result = work.run('a', 'a1', ending.signal)
  ending.abort('over')
  await work.end('a1')
  expect(await result).toBe('a1')
})

test('idle resolves once nothing runs or waits', async () => {
  const queue = new KeyedQueue()
  const work = scripted(queue)
  await queue.idle()
  work.run('a', 'a1')
  work.run('a', 'a2')
  let isIdle = false
  const idle = queue.idle().then(() => {
    isIdle = true
  })
  await work.end('a1')
  expect(isIdle).toBe(false)
  await work.end('a2')
  await idle
  expect(work.started).toEqual(['a1', 'a2'])
})
