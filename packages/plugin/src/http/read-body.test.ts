import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readBody, readJson, readText } from './read-body.ts'

/** Serves on loopback until the test ends. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A stream that gives chunks, then never ends; `canceled` says whether its reader left. */
const endless = (...chunks: string[]) => {
  const state = { canceled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) return new Promise(() => {})
      controller.enqueue(Buffer.from(chunk))
    },
    cancel() {
      state.canceled = true
    },
  })
  return { stream, state }
}

test('reads bytes, text and JSON', async () => {
  expect([...(await readBody(new Response('abc'), { maxBytes: 3 }))]).toEqual([97, 98, 99])
  expect(await readText(new Response('\ufeffZürich'), { maxBytes: 20 })).toBe('Zürich')
  expect(await readJson(new Response('{"tide":3}'), { maxBytes: 20 })).toEqual({ tide: 3 })
  expect(await readText(Readable.from([Buffer.from('Zü'), Buffer.from('rich')]), { maxBytes: 20 })).toBe('Zürich')
  expect(await readText(new Response(null), { maxBytes: 0 })).toBe('')
})

test('a character that is split between two chunks stays whole', async () => {
  const bytes = Buffer.from('ü')
  expect(await readText(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), { maxBytes: 2 })).toBe('ü')
})

test('a body that is too large fails, and its stream is canceled', async () => {
  const { stream, state } = endless('abc', 'def')
  await expect(readBody(stream, { maxBytes: 5 })).rejects.toMatchObject({
    code: 'response_too_large',
    message: 'The response has more than 5 bytes. Request less.',
  })
  expect(state.canceled).toBe(true)
})

test('the start of a body that is too large', async () => {
  const { stream, state } = endless('abc', 'def')
  expect(await readText(stream, { maxBytes: 5, onTooLarge: 'truncate' })).toBe('abcde')
  expect(state.canceled).toBe(true)
})

test('a Node stream that is too large is destroyed', async () => {
  const stream = new PassThrough()
  stream.write('abcdef')
  await expect(readBody(stream, { maxBytes: 5 })).rejects.toMatchObject({ code: 'response_too_large' })
  expect(stream.destroyed).toBe(true)
})

test('bytes count after decompression', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
  })
  await expect(readBody(await fetch(url), { maxBytes: 999_999 })).rejects.toMatchObject({ code: 'response_too_large' })
  expect(await readBody(await fetch(url), { maxBytes: 1_000_000 })).toHaveLength(1_000_000)
})

test('a body that does not end in time fails, and its stream is canceled', async () => {
  const { stream, state } = endless('abc')
  await expect(readBody(stream, { maxBytes: 9, timeoutMs: 20 })).rejects.toMatchObject({ code: 'timed_out' })
  expect(state.canceled).toBe(true)
})

test('fails with the reason once the signal aborts', async () => {
  const ending = new AbortController()
  const { stream, state } = endless('abc')
  const reading = readBody(stream, { maxBytes: 9, signal: ending.signal })
  ending.abort('over')
  await expect(reading).rejects.toBe('over')
  expect(state.canceled).toBe(true)
})

test('a connection that breaks is an error', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('abc', () => response.destroy())
  })
  await expect(readBody(await fetch(url), { maxBytes: 10 })).rejects.toThrow()
})

test('text that is not JSON says nothing of what it is', async () => {
  await expect(readJson(new Response('<secret>'), { maxBytes: 20 })).rejects.toMatchObject({
    code: 'response_not_json',
    message: expect.not.stringContaining('secret'),
  })
})
