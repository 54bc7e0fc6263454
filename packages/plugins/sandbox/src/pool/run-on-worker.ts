import type { Worker } from 'node:worker_threads'
import type { Program, ProgramEnd, WorkerMessage } from '../program/program-messages.ts'

/** How a program ended, and what it printed. */
export interface ProgramRun extends ProgramEnd {
  readonly output: string
}

/** How long after its time limit a thread is ended that does not end its program itself, as inside a native loop. */
const graceMs = 250

const startLimitMs = 20_000

/**
 * Runs a program on a thread of its own, and ends the thread. Resolves once the thread is gone, and its memory with it.
 *
 * @throws The reason of the signal, when it aborts; an Error, when the thread does not start.
 */
export const runOnWorker = async (worker: Worker, ready: Promise<void>, program: Program, signal: AbortSignal) => {
  try {
    await within(ready, startLimitMs, signal)
    return await untilEnd(worker, program, signal)
  } finally {
    await worker.terminate()
  }
}

/** Resolves when a thread says that it is ready; rejects when it fails to start. */
export const whenReady = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread of the sandbox ended before it was ready.')))
  })

const within = (ready: Promise<void>, limitMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    const timer = setTimeout(() => reject(new Error('The thread of the sandbox did not start in time.')), limitMs)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    ready.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    })
  })

const untilEnd = (worker: Worker, program: Program, signal: AbortSignal): Promise<ProgramRun> =>
  new Promise((resolve, reject) => {
    let started = performance.now()
    let output = ''
    const settle = (end: ProgramEnd) => finish(() => resolve({ ...end, output }))
    const fail = (error: string) => settle({ error, files: [], durationMs: Math.round(performance.now() - started) })
    const late = () => fail(`Stopped after ${program.timeLimitMs / 1_000} s, the most a program may run.`)
    const stop = () => finish(() => reject(signal.reason))
    const never = () => finish(() => reject(new Error('The thread of the sandbox did not begin in time.')))
    let timer = setTimeout(never, startLimitMs)
    const finish = (how: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      how()
    }
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'begun') {
        clearTimeout(timer)
        started = performance.now()
        timer = setTimeout(late, program.timeLimitMs + graceMs)
      }
      if (message.kind === 'output') output += message.text
      if (message.kind === 'end') settle(message.end)
    })
    worker.once('error', () => fail('Out of memory, or the engine failed.'))
    worker.once('exit', () => fail('Out of memory, or the engine failed.'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return stop()
    worker.postMessage(program)
  })
