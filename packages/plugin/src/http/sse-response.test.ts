import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sseResponse } from './sse-response.ts'

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
  expect(await chunksOf(sseResponse(frames(), () => {}))).toEqual(['abc', 'd'])
  expect(await chunksOf(sseResponse((async function* () {})(), () => {}))).toEqual([])
})

test('a failure ends the stream after the frames before it', async () => {
  const frames = async function* () {
    yield 'a'
    await setImmediate()
    await setImmediate()
    throw new Error('broken')
  }
  const reader = sseResponse(frames(), () => {}).body!.getReader()
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
  const reader = sseResponse(frames(), () => {
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
