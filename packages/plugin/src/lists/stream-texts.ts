import { setImmediate } from 'node:timers/promises'
import type { JsonValue } from '@sibyl/protocol'
import type { PersonalData } from '../privacy/personal-data.ts'

/** Characters that one chunk has at least. */
const chunkLength = 65_536

/** Joins texts to chunks of UTF-8, with a turn of the event loop after each. */
export async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield encoder.encode(chunk)
    chunk = ''
    await setImmediate()
  }
  yield encoder.encode(chunk)
}

/** Streams texts as UTF-8. @example c.body(streamTexts(jsonTexts({ facts })), 200) */
export const streamTexts = (texts: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const chunks = encodeTexts(texts)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

/** Yields the JSON of data in parts, an iterable as a list. */
export async function* jsonTexts(data: PersonalData): AsyncGenerator<string> {
  if (isPlain(data)) {
    yield JSON.stringify(data)
    return
  }
  const isList = Symbol.asyncIterator in data
  let comma = ''
  yield isList ? '[' : '{'
  for await (const [name, value] of isList ? named(data as AsyncIterable<PersonalData>) : Object.entries(data)) {
    if (value === undefined) continue
    yield isList ? comma : `${comma}${JSON.stringify(name)}:`
    yield* jsonTexts(value)
    comma = ','
  }
  yield isList ? ']' : '}'
}

/** Returns whether data has no iterable at any depth. */
const isPlain = (data: PersonalData | undefined): data is JsonValue =>
  typeof data !== 'object' || data === null || (!(Symbol.asyncIterator in data) && Object.values(data).every(isPlain))

async function* named(items: AsyncIterable<PersonalData>): AsyncGenerator<[string, PersonalData | undefined]> {
  for await (const item of items) yield ['', item]
}
