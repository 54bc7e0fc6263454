import { type LineLimits, type Place, ToolFailure, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { Program, ProgramEnd } from './program/program-messages.ts'

/** How a program ended, and what it printed. */
export interface ProgramRun extends ProgramEnd {
  readonly output: string
}

/** Limits of the programs that run and wait in this process. */
export const codeLine = { running: 2, waiting: 8, waitingPerHolder: 2, waitMs: 20_000 } as const satisfies LineLimits

/** How long a thread waits for the next program, in milliseconds. */
const idleMs = 120_000

/** How long after its time limit a thread is ended that does not end its program itself, as inside a native loop. */
const graceMs = 250

export type CodePool = ReturnType<typeof createCodePool>

/**
 * Creates the pool, with a thread of its own for each program. The first program waits for its thread to start; after it a thread
 * that has run nothing yet waits for the next one.
 */
export const createCodePool = (line: WaitingLine) => {
  const ending = new AbortController()
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const pool = new WorkerPool<Program, ProgramEnd, string>({
    file: new URL(`./code-worker.${extension}`, import.meta.url),
    memoryMb: 64,
    jobsPerWorker: 1,
    prestart: true,
    idleMs,
    worker: {
      name: 'sandbox',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 16, codeRangeSizeMb: 16 },
    },
  })
  return {
    /** @throws ToolFailure where too many programs run already; the reason of the signal */
    run: async (program: Program, actor: CountedActor, signal: AbortSignal): Promise<ProgramRun> => {
      const ended = AbortSignal.any([signal, ending.signal])
      const place = await takeSlot(line, actor, ended)
      const started = performance.now()
      let output = ''
      try {
        const end = await pool.run(program, {
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
    /** Ends what runs. May be called again. */
    close: async () => {
      ending.abort(new Error('The oracle ends.'))
      await pool.close()
    },
  }
}

/** Returns what a program is told of a thread that was ended. Throws errors that are not its own. */
const endOf = (error: unknown, { timeLimitMs }: Program): string => {
  if (workerErrors.worker_timed_out.is(error)) {
    return `Stopped after ${timeLimitMs / 1_000} s, the most a program may run.`
  }
  if (workerErrors.worker_crashed.is(error)) return 'Out of memory, or the engine failed.'
  throw error
}

const reasons = {
  holder: 'Your last programs are still running. Wait until they have ended.',
  origin: 'Too many programs of your address wait to be run. Try again in a minute.',
  all: 'Too many programs wait to be run. Try again in a minute.',
  late: 'Other programs took too long. Try again in a minute.',
} as const

/**
 * Waits for a place to run a program.
 *
 * @throws ToolFailure where too many wait, or it takes too long; the reason of the signal
 */
export const takeSlot = async (line: WaitingLine, actor: CountedActor, signal: AbortSignal): Promise<Place> => {
  const place = await line.enter(actor, signal)
  if ('full' in place) throw new ToolFailure(reasons[place.full])
  return place
}
