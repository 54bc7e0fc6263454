import { setImmediate } from 'node:timers/promises'
import type { Host, Logger, PersonalData } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { ExportRunningError } from '../errors/export-running-error.ts'

/** Exports that run at the same time in a process; one of a person. */
const maxAtOnce = 2

/** Characters of JSON that one chunk has at least. */
const chunkLength = 65_536

/** Time after which an export that is not read further ends, and after which each does, in milliseconds. */
const limits = { idleMs: 30_000, allMs: 900_000 } as const

/** Creates `stream` of `host.people`. */
export const createExportStreams = (log: Pick<Logger, 'error'>): Host['people']['stream'] => {
  const running = new Set<string>()
  return async (did, read) => {
    if (running.has(did) || running.size >= maxAtOnce) throw new ExportRunningError()
    running.add(did)
    try {
      return streamOf(inChunks(exportJson(await read())), log, () => running.delete(did))
    } catch (error) {
      running.delete(did)
      throw error
    }
  }
}

const streamOf = (chunks: AsyncGenerator<string>, log: Pick<Logger, 'error'>, ended: () => void) => {
  const encoder = new TextEncoder()
  const until = performance.now() + limits.allMs
  let idle: NodeJS.Timeout | undefined
  let isOver = false
  const end = () => {
    clearTimeout(idle)
    if (!isOver) ended()
    isOver = true
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(idle)
      const cut = () => {
        end()
        controller.error(new Error('The export was not read in time.'))
      }
      try {
        const { done, value } = await chunks.next()
        if (isOver) return
        if (done) {
          end()
          controller.close()
        } else if (performance.now() > until) cut()
        else {
          controller.enqueue(encoder.encode(value))
          idle = setTimeout(cut, limits.idleMs).unref()
        }
      } catch (error) {
        if (isOver) return
        end()
        log.error('the export of the data of a person failed', { error })
        controller.error(error)
      }
    },
    async cancel() {
      end()
      await chunks.return(undefined)
    },
  })
}

/** Joins texts to chunks; others run between two of them. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
    await setImmediate()
  }
  yield chunk
}

/** Yields the JSON of personal data in parts, an iterable as a list. */
export async function* exportJson(data: PersonalData): AsyncGenerator<string> {
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
    yield* exportJson(value)
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
