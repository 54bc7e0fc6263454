import { expect, it } from 'vitest'
import { ResponseTooLargeError } from '../errors/request-errors.ts'
import { readStream } from './read-stream.ts'

it('rejects an event that is longer than its limit', async () => {
  const part = new TextEncoder().encode('x'.repeat(1_000_000))
  const body = new ReadableStream({ pull: controller => controller.enqueue(part) })
  const events = readStream(new Response(body), 60_000, undefined)
  await expect(events.next()).rejects.toThrow(ResponseTooLargeError)
})
