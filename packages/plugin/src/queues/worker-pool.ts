import { Worker, type WorkerOptions } from 'node:worker_threads'
import { runOnWorker, whenReady } from './run-on-worker.ts'
import { workerErrors } from './worker-messages.ts'

/** Options of `WorkerPool`. */
export interface WorkerPoolOptions {
  /** The program of a thread. */
  readonly file: string | URL
  /** Maximum heap of a thread, in megabytes; a thread that exceeds it is ended. */
  readonly memoryMb: number
  /** Jobs that a thread runs before it is ended; 1 isolates jobs. @default Infinity */
  readonly jobsPerWorker?: number
  /** Starts the next thread in advance, once the first job has ended. @default false */
  readonly prestart?: boolean
  /** Time until a thread without a job is ended, in milliseconds. @default 60_000 */
  readonly idleMs?: number
  /** Time limit for the start of a thread, in milliseconds. @default 20_000 */
  readonly startLimitMs?: number
  /** Further options of the thread; it does not inherit environment, arguments and streams of the oracle. */
  readonly worker?: WorkerOptions
}

/** Options of one job. */
export interface WorkerJobOptions<Progress> {
  /** Time limit of the job from its start on the thread, in milliseconds. Then the thread is ended. */
  readonly timeLimitMs: number
  readonly signal?: AbortSignal | undefined
  /** Receives what the job reports before its result. */
  readonly onProgress?: (value: Progress) => void
}

interface PooledWorker {
  readonly worker: Worker
  readonly ready: Promise<void>
  jobs: number
  idle?: NodeJS.Timeout
}

/**
 * Threads that run jobs. A job that takes too long, uses too much memory or is aborted ends only its thread; the next
 * job has another one. The caller limits concurrent jobs, as with `host.limits.line`.
 */
export class WorkerPool<Job, Result, Progress = never> {
  readonly #options: WorkerPoolOptions
  readonly #all = new Set<PooledWorker>()
  readonly #idle: PooledWorker[] = []
  readonly #ending = new AbortController()

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /**
   * Runs a job on its own thread.
   *
   * @throws `worker_not_started`, `worker_timed_out`, `worker_crashed`, `worker_pool_closed`; the reason of the signal
   */
  async run(job: Job, { timeLimitMs, signal, onProgress }: WorkerJobOptions<Progress>): Promise<Result> {
    const { startLimitMs = 20_000, jobsPerWorker = Number.POSITIVE_INFINITY, prestart = false } = this.#options
    const ended = signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal
    ended.throwIfAborted()
    const pooled = this.#idle.pop() ?? this.#start()
    clearTimeout(pooled.idle)
    pooled.worker.ref()
    pooled.jobs += 1
    let isUsable = false
    try {
      const limits = { startLimitMs, timeLimitMs, signal: ended }
      const result = await runOnWorker<Result, Progress>(pooled, job, limits, onProgress)
      isUsable = pooled.jobs < jobsPerWorker && !ended.aborted
      return result
    } finally {
      if (isUsable) this.#keep(pooled)
      else {
        this.#all.delete(pooled)
        await pooled.worker.terminate()
      }
      if (prestart && this.#idle.length === 0 && !this.#ending.signal.aborted) this.#startSpare()
    }
  }

  /** Ends the threads and running jobs. May be called again. */
  async close(): Promise<void> {
    this.#ending.abort(workerErrors.worker_pool_closed())
    this.#idle.length = 0
    await Promise.all(
      [...this.#all].map(({ worker, idle }) => {
        clearTimeout(idle)
        return worker.terminate()
      }),
    )
  }

  #start(): PooledWorker {
    const { file, memoryMb, worker: options } = this.#options
    const resourceLimits = {
      maxOldGenerationSizeMb: memoryMb,
      // V8 ends the whole process where more is promoted at once than its reserve beyond the limit takes.
      maxYoungGenerationSizeMb: Math.min(32, memoryMb / 4),
      stackSizeMb: 4,
      ...options?.resourceLimits,
    }
    let worker: Worker
    try {
      worker = new Worker(file, { env: {}, argv: [], stdout: true, stderr: true, ...options, resourceLimits })
    } catch (cause) {
      throw workerErrors.worker_not_started({ cause })
    }
    const pooled: PooledWorker = { worker, ready: whenReady(worker), jobs: 0 }
    pooled.ready.catch(() => {})
    // An error while no job runs: the thread exits, which is all that matters.
    worker.on('error', () => {})
    worker.once('exit', () => {
      clearTimeout(pooled.idle)
      this.#all.delete(pooled)
      const place = this.#idle.indexOf(pooled)
      if (place >= 0) this.#idle.splice(place, 1)
    })
    this.#all.add(pooled)
    return pooled
  }

  #startSpare(): void {
    try {
      this.#keep(this.#start())
    } catch {
      // The next job tries again, and reports it.
    }
  }

  #keep(pooled: PooledWorker): void {
    pooled.worker.unref()
    pooled.idle = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(pooled), 1)
      void pooled.worker.terminate()
    }, this.#options.idleMs ?? 60_000).unref()
    this.#idle.push(pooled)
  }
}
