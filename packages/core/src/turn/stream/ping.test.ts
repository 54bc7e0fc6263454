import { afterEach, expect, test, vi } from 'vitest'
import { pingIntervalMs, TurnStream, turnResponse } from './turn-stream.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('an idle stream sends a ping at least every 15 s until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  expect(pingIntervalMs).toBeLessThanOrEqual(15_000)
  const log = new TurnStream('turn_1')
  log.append({ type: 'start' })
  const body = turnResponse(log, 0)
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader()
  const next = async () => String((await body.read()).value)
  expect(await next()).toBe('id: turn_1:1\ndata: {"type":"start"}\n\n')
  vi.advanceTimersByTime(pingIntervalMs)
  expect(await next()).toBe(': ping\n\n')
  vi.advanceTimersByTime(pingIntervalMs)
  expect(await next()).toBe(': ping\n\n')
  log.end({ type: 'finish' })
  expect(await next()).toBe('id: turn_1:2\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n')
  expect((await body.read()).done).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('the listener of a reader that leaves is removed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log = new TurnStream('turn_1')
  const { body } = turnResponse(log, 0)
  expect(log.readers).toBe(1)
  await body?.cancel()
  expect(log.readers).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  log.end({ type: 'finish' })
})
