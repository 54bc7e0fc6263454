import { expect, test } from 'vitest'
import { TickBatch } from './tick-batch.ts'

test('concurrent reads are one query, with each key once', async () => {
  const queries: (readonly number[])[] = []
  const doubles = new TickBatch<number, number>(async keys => {
    queries.push(keys)
    return new Map(keys.filter(key => key > 0).map(key => [key, key * 2]))
  })
  expect(await Promise.all([1, 2, 1, -1].map(key => doubles.ask(key)))).toEqual([2, 4, 2, undefined])
  expect(await doubles.ask(5)).toBe(10)
  expect(queries).toEqual([[1, 2, -1], [5]])
})

test('a query that fails affects only its own callers', async () => {
  let fails = true
  const batch = new TickBatch<number, number>(async () => {
    if (fails) throw new Error('away')
    return new Map([[1, 1]])
  })
  const failed = await Promise.allSettled([batch.ask(1), batch.ask(2)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await batch.ask(1)).toBe(1)
})
