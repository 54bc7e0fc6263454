import type { Worker } from 'node:worker_threads'
import type { LineLimits, WaitingLine } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { Program } from '../program/program-messages.ts'
import { startCodeWorker } from '../start-code-worker.ts'
import { type ProgramRun, runOnWorker, whenReady } from './run-on-worker.ts'
import { takeSlot } from './take-slot.ts'

/** Runs programs, each on a thread of its own that is ended afterwards. */
export interface CodePool {
  /** Throws `ToolFailure` when too many run already, and the reason of the signal. */
  run(program: Program, actor: CountedActor, signal: AbortSignal): Promise<ProgramRun>
  /** Ends what runs. May be called again. */
  close(): Promise<void>
}

/** How many programs run and wait in this process. */
export const codeLine = { running: 2, waiting: 8, waitingPerHolder: 2, waitMs: 20_000 } as const satisfies LineLimits

/** How long a thread waits for the next program, in milliseconds. */
const spareMs = 120_000

interface ReadyWorker {
  readonly worker: Worker
  readonly ready: Promise<void>
}

/**
 * Makes the pool. The first program waits for its thread to start; from then on one waits that has run nothing yet, until nobody
 * came for two minutes.
 */
export const createCodePool = (line: WaitingLine, startWorker = startCodeWorker): CodePool => {
  const ending = new AbortController()
  const workers = new Set<Worker>()
  let spare: ReadyWorker | undefined
  let spareTimer: NodeJS.Timeout | undefined

  const start = (): ReadyWorker => {
    const worker = startWorker()
    workers.add(worker)
    const ready = whenReady(worker)
    ready.catch(() => undefined)
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      workers.delete(worker)
      if (spare?.worker === worker) spare = undefined
    })
    return { worker, ready }
  }
  const take = (): ReadyWorker => {
    const taken = spare ?? start()
    spare = undefined
    taken.worker.ref()
    return taken
  }
  const prepare = () => {
    clearTimeout(spareTimer)
    if (ending.signal.aborted) return
    try {
      spare ??= start()
    } catch {
      // No thread can be had just now; the next program asks again, and is told so.
      return
    }
    const { worker } = spare
    worker.unref()
    spareTimer = setTimeout(() => {
      if (spare?.worker === worker) spare = undefined
      void worker.terminate()
    }, spareMs).unref()
  }

  return {
    run: async (program, actor, signal) => {
      const both = AbortSignal.any([signal, ending.signal])
      const place = await takeSlot(line, actor, both)
      try {
        const { worker, ready } = take()
        return await runOnWorker(worker, ready, program, both)
      } finally {
        place.release()
        prepare()
      }
    },
    close: async () => {
      clearTimeout(spareTimer)
      ending.abort(new Error('The oracle ends.'))
      await Promise.all([...workers].map(worker => worker.terminate()))
    },
  }
}
