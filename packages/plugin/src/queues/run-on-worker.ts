import type { Worker } from 'node:worker_threads'
import { type WorkerMessage, workerErrors } from './worker-messages.ts'

/** Limits of one job on a thread. */
export interface WorkerRunLimits {
  readonly startLimitMs: number
  readonly timeLimitMs: number
  readonly signal: AbortSignal
}

/** Resolves when a thread is ready. Rejects with `worker_not_started` if it fails before. */
export const whenReady = (worker: Worker): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (cause: unknown) => reject(workerErrors.worker_not_started({ cause }))
  worker.once('message', () => resolve())
  worker.once('error', fail)
  worker.once('exit', code => fail(new Error(`The thread exited with code ${code}.`)))
  return promise
}

/** Runs a job on a thread once it is ready. Does not end the thread. */
export const runOnWorker = <Result, Progress>(
  { worker, ready }: { readonly worker: Worker; readonly ready: Promise<void> },
  job: unknown,
  { startLimitMs, timeLimitMs, signal }: WorkerRunLimits,
  onProgress?: (value: Progress) => void,
): Promise<Result> => {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  let failure: unknown
  const onMessage = (message: WorkerMessage<Result, Progress>) => {
    if (message.kind === 'begun') {
      clearTimeout(timer)
      timer = setTimeout(() => reject(workerErrors.worker_timed_out({ seconds: timeLimitMs / 1_000 })), timeLimitMs)
    }
    if (message.kind === 'progress') {
      try {
        onProgress?.(message.value)
      } catch (error) {
        reject(error)
      }
    }
    if (message.kind === 'result') resolve(message.value)
  }
  const onError = (error: unknown) => {
    failure = error
  }
  const onExit = () => reject(workerErrors.worker_crashed({ cause: failure }))
  const onAbort = () => reject(signal.reason)
  let timer = setTimeout(
    () => reject(workerErrors.worker_not_started({ cause: new Error(`It took longer than ${startLimitMs} ms.`) })),
    startLimitMs,
  )
  signal.addEventListener('abort', onAbort, { once: true })
  const begin = () => {
    if (signal.aborted) return
    worker.on('message', onMessage).once('error', onError).once('exit', onExit)
    worker.postMessage(job)
  }
  ready.then(begin).catch(reject)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
  })
}
