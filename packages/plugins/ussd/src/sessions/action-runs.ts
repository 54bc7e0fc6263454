import { setTimeout as delay } from 'node:timers/promises'
import { KeyedQueue, type Logger, pause, withTimeout } from '@sibyl/plugin'
import type { ActionResult, ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowFacts } from '../flow/flow-machine.ts'
import { contextOf } from '../flow/screen-view.ts'
import type { PendingRun } from './session-record.ts'

export interface RunRequest {
  readonly key: string
  readonly run: PendingRun
  readonly action: ActionScreen
  readonly facts: FlowFacts
}

/** Maximum number of concurrent runs of one screen; others wait. */
const runsAtOnce = 64

/** Time that a run may continue after its abort, in milliseconds. */
const graceMs = 5_000

export class ActionRun {
  readonly request: RunRequest
  /** Its outcome; undefined if this process ends first, so that another one takes over. */
  readonly outcome: Promise<ActionOutcome | undefined>
  /** Whether its outcome is stored when it ends. */
  isStored = false
  readonly #stop = new AbortController()
  readonly #ended = Promise.withResolvers<ActionOutcome | undefined>()
  readonly #left = Promise.withResolvers<undefined>()

  constructor(request: RunRequest) {
    this.request = request
    this.outcome = this.#ended.promise
  }

  /** Runs the action, for `longestMs` until its abort; never rejects. */
  async perform(longestMs: number, log: Logger): Promise<void> {
    const timer = setTimeout(() => this.abort(), longestMs).unref()
    try {
      this.#end({ kind: 'done', result: await Promise.race([this.#started(), this.#outstayed()]) })
    } catch (error) {
      const { effect } = this.request.action
      const unknown = effect === 'write' && this.#stop.signal.aborted
      const name = error instanceof Error ? error.name : typeof error
      log.warn('an action failed', { screen: this.request.run.state.screen, effect, error: name })
      this.#end(unknown ? { kind: 'unknown' } : { kind: 'failed' })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Returns its outcome; undefined if it takes longer or the caller has left. */
  async within(ms: number): Promise<ActionOutcome | undefined> {
    const ended = new AbortController()
    try {
      return await Promise.race([this.outcome, this.#left.promise, pause(ms, ended.signal).then(() => undefined)])
    } finally {
      ended.abort()
    }
  }

  /** Ends the waits: the call has ended, and may be resumed. */
  endWaits(): void {
    this.#left.resolve(undefined)
  }

  /** Ends the waits and aborts the action's signal. */
  abort(): void {
    this.endWaits()
    this.#stop.abort()
  }

  /** Ends the waits because this process ends; another process takes over a repeatable action. */
  release(): void {
    if (this.request.action.effect !== 'write') this.#end(undefined)
    this.abort()
  }

  async #started(): Promise<ActionResult> {
    const { run, action, facts } = this.request
    if (action.effect === 'read') this.#stop.signal.throwIfAborted()
    const { secrets } = run.state
    const context = { ...contextOf(run.state, facts), secrets, idempotencyKey: run.id, signal: this.#stop.signal }
    return await action.run(context)
  }

  async #outstayed(): Promise<never> {
    const { signal } = this.#stop
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    await delay(graceMs, undefined, { ref: false })
    throw new Error('The action did not end in time after it was aborted.')
  }

  #end(outcome: ActionOutcome | undefined): void {
    this.#ended.resolve(outcome)
  }
}

export const createActionRuns = (longestMs: number, log: Logger) => {
  const runs = new Map<string, ActionRun>()
  /** Queues by screen. */
  const lines = new Map<string, KeyedQueue>()
  let ending = false
  const lineUp = (run: ActionRun): void => {
    const { screen } = run.request.run.state
    const line = lines.get(screen) ?? new KeyedQueue({ concurrency: runsAtOnce })
    lines.set(screen, line)
    void line.run(run, async () => {
      if (!ending) await run.perform(longestMs, log)
    })
  }
  return {
    /** Returns the run of a session's action. */
    get(key: string): ActionRun | undefined {
      return runs.get(key)
    },
    /** Starts a run, or queues it. */
    start(request: RunRequest): ActionRun {
      const run = new ActionRun(request)
      runs.get(request.key)?.abort()
      runs.set(request.key, run)
      if (ending) run.release()
      else lineUp(run)
      return run
    },
    /** Removes a run whose outcome is stored or discarded. */
    forget(run: ActionRun): void {
      if (runs.get(run.request.key) === run) runs.delete(run.request.key)
    },
    /** Aborts all runs and waits for them at most `limitMs`. */
    async dispose(limitMs: number): Promise<void> {
      ending = true
      const all = [...runs.values()]
      for (const run of all) run.release()
      await withTimeout(() => Promise.all(all.map(({ outcome }) => outcome)), { timeoutMs: limitMs }).catch(() => {})
    },
  }
}

/**
 * The running actions of this process, one per session. A service that does not respond delays only the callers of its
 * screen.
 */
export type ActionRuns = ReturnType<typeof createActionRuns>
