import type { Logger } from '@sibyl/plugin'
import { safeReason } from '../errors/safe-reason.ts'
import { type Limited, withinTime } from '../time/time-limit.ts'

/** Time limit of a background start. */
export const backgroundTimeLimitMs = 60_000

/** Time limit of the shutdown for running starts. */
const closeLimitMs = 2_000

/** A background start of a plugin, while the oracle already answers. */
export interface BackgroundTask {
  readonly plugin: string
  readonly name: string
  readonly state: 'pending' | 'loaded' | 'failed'
  /** The reason, with `failed`; safe to show. */
  readonly reason?: string
  /** Its duration, once it is loaded or failed. */
  readonly durationMs?: number
}

interface Entry {
  task: BackgroundTask
  readonly start: (signal: AbortSignal) => Promise<void>
  readonly controller: AbortController
  /** The start itself. */
  work?: Promise<void>
  /** Resolves when the task is loaded or failed. */
  running?: Promise<void>
}

export interface BackgroundTasksOptions {
  readonly log: Logger
  /** Redacts secrets from the reason of a failure. */
  readonly redact?: (text: string) => string
  /** For the start of each task and for the shutdown of all, in milliseconds. @default 60_000 */
  readonly timeLimitMs?: number
}

/**
 * The tasks of `host.background`: queued during setup, started together when boot can no longer fail, and each
 * `pending` until it is `loaded` or `failed`. Their signals abort at the shutdown, or when a start exceeds its time
 * limit.
 */
export class BackgroundTasks {
  readonly #log: Logger
  readonly #redact: (text: string) => string
  #onSettled: (task: BackgroundTask) => void = () => {}
  readonly #timeLimitMs: number
  readonly #entries: Entry[] = []
  #phase: 'queueing' | 'begun' | 'closed' = 'queueing'

  constructor({ log, redact = text => text, timeLimitMs = backgroundTimeLimitMs }: BackgroundTasksOptions) {
    this.#log = log
    this.#redact = redact
    this.#timeLimitMs = timeLimitMs
  }

  /** Implements `host.background` of a plugin. After `close` it does nothing. */
  add(plugin: string, name: string, start: (signal: AbortSignal) => Promise<void>): void {
    if (this.#phase === 'closed') return
    const entry: Entry = { task: { plugin, name, state: 'pending' }, start, controller: new AbortController() }
    this.#entries.push(entry)
    if (this.#phase === 'begun') this.#run(entry)
  }

  /** Starts the queued tasks, and later ones immediately. @param onSettled Called for each that is loaded or failed. */
  begin(onSettled: (task: BackgroundTask) => void): void {
    if (this.#phase !== 'queueing') return
    this.#onSettled = onSettled
    this.#phase = 'begun'
    for (const entry of this.#entries) this.#run(entry)
  }

  /** Returns the current tasks, in order. */
  list(): readonly BackgroundTask[] {
    return this.#entries.map(({ task }) => task)
  }

  /** Resolves when none is pending, including later ones. */
  async settled(): Promise<void> {
    for (;;) {
      const running = this.#entries.filter(({ task, running }) => running && task.state === 'pending')
      if (running.length === 0 || this.#phase === 'closed') return
      await Promise.all(running.map(entry => entry.running))
    }
  }

  /** Aborts every signal and waits briefly for running starts; never rejects. */
  async close(): Promise<void> {
    this.#phase = 'closed'
    for (const { controller } of this.#entries) controller.abort(new Error('The oracle is shutting down.'))
    await withinTime(() => Promise.allSettled(this.#entries.map(({ work }) => work)), { limitMs: closeLimitMs })
  }

  #run(entry: Entry): void {
    const startedAt = performance.now()
    const { plugin, name } = entry.task
    const { signal } = entry.controller
    entry.work = Promise.resolve().then(() => entry.start(signal))
    entry.running = withinTime(() => entry.work, { limitMs: this.#timeLimitMs, signal }).then(result => {
      if (this.#phase === 'closed') return
      const durationMs = Math.round(performance.now() - startedAt)
      const reason = this.#failure(entry.task, result)
      entry.task =
        reason === undefined
          ? { plugin, name, state: 'loaded', durationMs }
          : { plugin, name, state: 'failed', reason, durationMs }
      if (reason !== undefined) entry.controller.abort(new Error(reason))
      this.#report(entry.task)
    })
  }

  /** Logs and returns the reason why a start failed. */
  #failure({ plugin, name }: BackgroundTask, result: Limited<unknown>): string | undefined {
    if (result.outcome === 'late') return `did not start within ${this.#timeLimitMs / 1000} s`
    if (result.outcome !== 'failed') return undefined
    this.#log.error('a background start failed', { plugin, task: name, error: result.error })
    return this.#redact(safeReason(result.error))
  }

  #report(task: BackgroundTask): void {
    try {
      this.#onSettled(task)
    } catch (error) {
      this.#log.error('a listener for background starts failed', { plugin: task.plugin, error })
    }
  }
}
