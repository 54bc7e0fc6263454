import { expect, test } from 'vitest'
import { createRunSlots } from './run-slots.ts'

const limits = { running: 2, waiting: 3, waitingEach: 2, waitMs: 60_000 }
const { signal } = new AbortController()

test('one of a person runs at a time, and nobody takes all of them', async () => {
  const slots = createRunSlots(limits)
  const order: string[] = []
  const take = async (owner: string, name: string) => {
    const free = await slots.take(owner, signal)
    order.push(name)
    return free
  }
  const first = await take('a', 'a1')
  const second = take('a', 'a2')
  const other = await take('b', 'b1')
  expect(order).toEqual(['a1', 'b1'])
  const third = take('c', 'c1')
  first()
  const free = await second
  other()
  await third
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1'])
  free()
})

test('who waits too long, or behind too many, is told so', async () => {
  const slots = createRunSlots({ ...limits, running: 1 })
  const free = await slots.take('a', signal)
  const waiting = [slots.take('a', signal), slots.take('a', signal)]
  await expect(slots.take('a', signal)).rejects.toThrow('Your last programs are still running.')
  waiting.push(slots.take('b', signal))
  await expect(slots.take('c', signal)).rejects.toThrow('Too many programs wait to be run.')
  free()
  for (const next of waiting) (await next)()

  const hasty = createRunSlots({ ...limits, running: 1, waitMs: 1 })
  await hasty.take('a', signal)
  await expect(hasty.take('b', signal)).rejects.toThrow('Other programs took too long.')
})

test('who gives up waits no longer', async () => {
  const slots = createRunSlots({ ...limits, running: 1 })
  const free = await slots.take('a', signal)
  const stop = new AbortController()
  const waiting = slots.take('b', stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(slots.take('b', stop.signal)).rejects.toThrow('stopped')
  free()
  ;(await slots.take('c', signal))()
})
