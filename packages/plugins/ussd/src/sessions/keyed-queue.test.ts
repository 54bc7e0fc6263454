import { expect, test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

test('work under one key waits for the work before it, also when that failed; other keys do not wait', async () => {
  const queue = new KeyedQueue()
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const first = queue.run('a', async () => {
    await gate.promise
    done.push('a1')
    throw new Error('no')
  })
  const second = queue.run('a', async () => done.push('a2'))
  await queue.run('b', async () => done.push('b'))
  expect(done).toEqual(['b'])
  gate.resolve()
  await expect(first).rejects.toThrow('no')
  await second
  await queue.idle()
  expect(done).toEqual(['b', 'a1', 'a2'])
})
