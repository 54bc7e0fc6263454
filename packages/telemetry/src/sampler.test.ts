import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSampler } from './sampler.ts'

const ids = Array.from({ length: 2_000 }, () => randomBytes(16).toString('hex'))
const share = (name: Parameters<typeof createSampler>[0], ratio: number) => {
  const sample = createSampler(name, ratio)
  return ids.filter(id => sample(undefined, id)).length / ids.length
}

test('a ratio keeps about that share of the traces, the same ones everywhere', () => {
  expect([share('traceidratio', 0), share('traceidratio', 1)]).toEqual([0, 1])
  expect(share('parentbased_traceidratio', 0.25)).toBeGreaterThan(0.2)
  expect(share('parentbased_traceidratio', 0.25)).toBeLessThan(0.3)
  const [less, more] = [createSampler('traceidratio', 0.2), createSampler('traceidratio', 0.4)]
  expect(ids.every(id => !less(undefined, id) || more(undefined, id))).toBe(true)
})

test('the caller decides where its decision counts, and nowhere else', () => {
  const parent = { traceId: ids[0]!, spanId: '1'.repeat(16) }
  const decide = (name: Parameters<typeof createSampler>[0], sampled: boolean) =>
    createSampler(name, 1)({ ...parent, sampled }, parent.traceId)
  expect(decide('parentbased_always_off', true)).toBe(true)
  expect(decide('parentbased_always_on', false)).toBe(false)
  expect(decide('always_on', false)).toBe(true)
  expect(decide('always_off', true)).toBe(false)
})
