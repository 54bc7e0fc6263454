import { testLimits } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { takeSlot } from './code-pool.ts'

const limits = { running: 1, waiting: 3, waitingPerHolder: 2, waitMs: 60_000 }
const { signal } = new AbortController()
const actor = (name: string) => ({ did: `did:key:${name}`, via: 'ucan' })

test('a caller who waits too long, or behind too many, gets the reason', async () => {
  const line = testLimits().line(limits)
  const place = await takeSlot(line, actor('a'), signal)
  const waiting = [takeSlot(line, actor('a'), signal), takeSlot(line, actor('a'), signal)]
  await expect(takeSlot(line, actor('a'), signal)).rejects.toThrow('Your earlier programs are still running.')
  const behind = takeSlot(line, actor('b'), signal)
  await expect(takeSlot(line, actor('c'), signal)).rejects.toThrow('Too many programs are waiting.')
  place.release()
  for (const next of [behind, ...waiting]) (await next).release()

  const hasty = testLimits().line({ ...limits, waitMs: 1 })
  await takeSlot(hasty, actor('a'), signal)
  await expect(takeSlot(hasty, actor('b'), signal)).rejects.toThrow('The wait for other programs took too long.')
})

test('one address with many DIDs gets the reason, and leaves capacity for others', async () => {
  const line = testLimits('open').line({ running: 2, waiting: 8, waitingPerHolder: 2 })
  const stranger = (name: string) => ({ ...actor(name), origin: 'address' })
  await takeSlot(line, stranger('a'), signal)
  void takeSlot(line, stranger('b'), signal)
  void takeSlot(line, stranger('c'), signal)
  await expect(takeSlot(line, stranger('d'), signal)).rejects.toThrow('Your address')
  ;(await takeSlot(line, { ...actor('e'), origin: 'another' }, signal)).release()
})
