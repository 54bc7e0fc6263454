import { type Host, jsonTexts, type Logger } from '@sibyl/plugin'
import { encodeTexts } from '@sibyl/plugin/host'
import { coreErrors } from '../errors/core-errors.ts'

/** Exports that run at the same time in a process; one of a person. */
const maxAtOnce = 2

/** Time after which an export that is not read further ends, and after which each does, in milliseconds. */
const limits = { idleMs: 30_000, allMs: 900_000 } as const

export const createExportStreams = (log: Pick<Logger, 'error'>): Host['people']['stream'] => {
  const running = new Set<string>()
  return async (did, read) => {
    if (running.has(did) || running.size >= maxAtOnce) throw coreErrors.export_running()
    running.add(did)
    try {
      return streamOf(encodeTexts(jsonTexts(await read())), log, () => running.delete(did))
    } catch (error) {
      running.delete(did)
      throw error
    }
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, log: Pick<Logger, 'error'>, ended: () => void) => {
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
          controller.enqueue(value)
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
