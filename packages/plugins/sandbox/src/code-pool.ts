import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type LineLimits, type Place, ToolFailure, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { Program, ProgramEnd } from './program/program-messages.ts'

/** End of a program, with its printed output. */
export interface ProgramRun extends ProgramEnd {
  readonly output: string
}

/** Limits of the running and waiting programs in this process. */
export const codeLine = { running: 2, waiting: 8, waitingPerHolder: 2, waitMs: 20_000 } as const satisfies LineLimits

/** Time that a thread waits for the next program, in milliseconds. */
const idleMs = 120_000

/**
 * Time after the time limit until a thread is terminated if it does not end its program, as inside a native loop, in
 * milliseconds.
 */
const graceMs = 250

export type CodePool = ReturnType<typeof createCodePool>

/**
 * Creates the pool, with a separate thread for each program. The first program waits for its thread to start;
 * afterwards an unused thread is ready for the next one.
 */
export const createCodePool = (line: WaitingLine) => {
  const ending = new AbortController()
  let pool: ReturnType<typeof startPool> | undefined
  return {
    /** @throws ToolFailure if too many programs are running; the reason of the signal */
    run: async (program: Program, actor: CountedActor, signal: AbortSignal): Promise<ProgramRun> => {
      const ended = AbortSignal.any([signal, ending.signal])
      const place = await takeSlot(line, actor, ended)
      const started = performance.now()
      let output = ''
      try {
        pool ??= startPool().catch((error: unknown) => {
          pool = undefined
          throw error
        })
        const end = await (await pool).run(program, {
          timeLimitMs: program.timeLimitMs + graceMs,
          signal: ended,
          onProgress: text => {
            output += text
          },
        })
        return { ...end, output }
      } catch (error) {
        return { error: endOf(error, program), files: [], durationMs: Math.round(performance.now() - started), output }
      } finally {
        place.release()
      }
    },
    /** Terminates all programs. It can be called repeatedly. */
    close: async () => {
      ending.abort(new Error('The oracle is shutting down.'))
      await (await pool)?.close()
    },
  }
}

/** Compiles QuickJS for all threads, which takes a third of the start of one, and creates their pool. */
const startPool = async () => {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const engine = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return new WorkerPool<Program, ProgramEnd, string>({
    file: new URL(`./code-worker.${extension}`, import.meta.url),
    memoryMb: 64,
    jobsPerWorker: 1,
    prestart: true,
    idleMs,
    worker: {
      name: 'sandbox',
      execArgv: [],
      workerData: await WebAssembly.compile(await readFile(engine)),
      resourceLimits: { codeRangeSizeMb: 16 },
    },
  })
}

/** Returns the error of a program whose thread was terminated. Throws other errors. */
const endOf = (error: unknown, { timeLimitMs }: Program): string => {
  if (workerErrors.worker_timed_out.is(error)) {
    return `Stopped after ${timeLimitMs / 1_000} s, the time limit of a program.`
  }
  if (workerErrors.worker_crashed.is(error)) return 'Out of memory, or the engine crashed.'
  throw error
}

const reasons = {
  holder: 'Your earlier programs are still running. Try again when they have ended.',
  origin: 'Your address has too many waiting programs. Try again in a minute.',
  all: 'Too many programs are waiting. Try again in a minute.',
  late: 'The wait for other programs took too long. Try again in a minute.',
} as const

/**
 * Waits for a slot to run a program.
 *
 * @throws ToolFailure if too many wait, or it takes too long; the reason of the signal
 */
export const takeSlot = async (line: WaitingLine, actor: CountedActor, signal: AbortSignal): Promise<Place> => {
  const place = await line.enter(actor, signal)
  if ('full' in place) throw new ToolFailure(reasons[place.full])
  return place
}
