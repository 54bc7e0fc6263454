import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sseResponse } from './sse-response.ts'

/** A request on another host than Node's server. */
const elsewhere = { env: undefined, get: () => ({}) }

const chunksOf = async ({ body }: Response): Promise<string[]> => {
  const chunks: string[] = []
  for await (const chunk of body!) chunks.push(new TextDecoder().decode(chunk))
  return chunks
}

test('frames of one turn of the event loop are one chunk, and later ones another', async () => {
  const frames = async function* () {
    yield 'a'
    yield 'b'
    yield 'c'
    await setImmediate()
    await setImmediate()
    yield 'd'
  }
  expect(await chunksOf(sseResponse(elsewhere, frames(), () => {}))).toEqual(['abc', 'd'])
  expect(await chunksOf(sseResponse(elsewhere, (async function* () {})(), () => {}))).toEqual([])
})

test('a failure ends the stream after the frames before it', async () => {
  const frames = async function* () {
    yield 'a'
    await setImmediate()
    await setImmediate()
    throw new Error('broken')
  }
  const reader = sseResponse(elsewhere, frames(), () => {}).body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('a')
  await expect(reader.read()).rejects.toThrow('broken')
})

test('a reader that leaves is reported, and takes no more frames', async () => {
  let canceled = 0
  let taken = 0
  const frames = async function* () {
    for (;;) {
      taken += 1
      yield 'x'
      await setImmediate()
      await setImmediate()
    }
  }
  const reader = sseResponse(elsewhere, frames(), () => {
    canceled += 1
  }).body!.getReader()
  await reader.read()
  await reader.cancel()
  const pass = async () => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate()
    return taken
  }
  const before = await pass()
  expect([canceled, (await pass()) - before]).toEqual([1, 0])
})

/** Streams frames from Node's server, and returns the answer of a client with what the server was told. */
const served = async (frames: AsyncIterable<string>) => {
  const reported = Promise.withResolvers<string>()
  const server = createServer((_, outgoing) => {
    const get = () => ({ 'x-request-id': 'r1', 'cache-control': 'public' })
    outgoing.once('close', () => outgoing.errored && reported.resolve(outgoing.errored.message))
    sseResponse({ env: { outgoing }, get }, frames, () => reported.resolve('canceled'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { answer: answer.setEncoding('utf8'), told: reported.promise }
}

test("on Node's server a stream has the headers of every response, its own first, and all frames", async () => {
  const { answer } = await served(
    (async function* () {
      for (let id = 0; id < 3_000; id += 1) yield `data: ${'é'.repeat(200)}${id}\n\n`
    })(),
  )
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': 'r1',
  })
  let text = ''
  for await (const chunk of answer) text += chunk
  expect(text.split('\n\n').map(frame => frame.replace(/^data: é{200}/, ''))).toEqual([
    ...Array.from({ length: 3_000 }, (_, id) => String(id)),
    '',
  ])
})

test("on Node's server a failure breaks the connection off, and its text stays inside", async () => {
  const { answer, told } = await served(
    (async function* () {
      yield 'a'
      await setImmediate()
      throw new Error('broken')
    })(),
  )
  let text = ''
  await expect(async () => {
    for await (const chunk of answer) text += chunk
  }).rejects.toThrow('aborted')
  expect([text, await told]).toEqual(['a', 'broken'])
})

test("on Node's server a client that reads nothing is sent no more than it takes, and its leaving is reported", async () => {
  let taken = 0
  const frames = async function* () {
    for (; taken < 10_000; taken += 1) {
      yield 'x'.repeat(10_000)
      await setImmediate()
    }
  }
  const { answer, told } = await served(frames())
  answer.pause()
  let before = -1
  while (taken !== before) {
    before = taken
    for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  }
  expect(taken).toBeLessThan(10_000)
  answer.destroy()
  expect(await told).toBe('canceled')
})
