import type { HeldJob, Jobs } from '@sibyl/plugin/storage'
import type { WriteTransaction } from '../storage/ussd-tables.ts'
import type { ActionRuns } from './action-runs.ts'
import type { Session } from './session-record.ts'

/** Kind of the jobs that take over actions. */
export const actionJobKind = 'ussd/action'

/** Jobs that a transaction started and ended. */
export interface FollowedJobs {
  /** Called after the commit. */
  committed(): void
  /** Called if the commit failed, or its outcome is unknown. */
  failed(): void
}

interface HeldRun {
  readonly runId: string
  readonly job: HeldJob
}

/**
 * The durable jobs of actions. The process that runs an action holds its job, from the write that stores the run in its
 * session to the one that stores its outcome. If the process crashes, another process runs the job and takes the action
 * over.
 */
export class ActionJobs {
  readonly #jobs: Pick<Jobs, 'hold'>
  readonly #runs: ActionRuns
  /** By session key. */
  readonly #held = new Map<string, HeldRun>()

  constructor(jobs: Pick<Jobs, 'hold'>, runs: ActionRuns) {
    this.#jobs = jobs
    this.#runs = runs
  }

  /** Starts and ends the jobs of sessions that a transaction has written; undefined without such jobs. */
  async follow(tx: WriteTransaction, sessions: readonly Session[]): Promise<FollowedJobs | undefined> {
    const changed = sessions.filter(({ key, record }) => this.#held.get(key)?.runId !== record.run?.id)
    if (changed.length === 0) return undefined
    const held = new Map<string, HeldRun | undefined>()
    for (const { key, record } of changed) {
      await this.#held.get(key)?.job.complete(tx)
      held.set(key, record.run && (await this.#hold(tx, key, record.run.id)))
    }
    return {
      committed: () => {
        for (const [key, run] of held) this.#set(key, run)
      },
      failed: () => {
        for (const run of held.values()) run?.job.release().catch(() => {})
      },
    }
  }

  /** Ends the job of a run whose session is deleted, or has continued without it. */
  async complete(key: string, runId: string): Promise<void> {
    const held = this.#held.get(key)
    if (held?.runId !== runId) return
    await held.job.complete()
    if (this.#held.get(key) === held) this.#held.delete(key)
  }

  /** Releases all unfinished actions to other processes. */
  async releaseAll(): Promise<void> {
    const held = [...this.#held.values()]
    this.#held.clear()
    await Promise.all(held.map(({ job }) => job.release()))
  }

  /** Undefined if the run has a job that another process holds. */
  async #hold(tx: WriteTransaction, key: string, runId: string): Promise<HeldRun | undefined> {
    const job = await this.#jobs.hold(actionJobKind, { key, run: runId }, { dedupeKey: runId, tx })
    return job && { runId, job }
  }

  #set(key: string, held: HeldRun | undefined): void {
    if (held === undefined) {
      this.#held.delete(key)
      return
    }
    this.#held.set(key, held)
    const lost = () => {
      if (this.#held.get(key) === held) this.#held.delete(key)
      const here = this.#runs.get(key)
      if (here?.request.run.id === held.runId) here.release()
    }
    held.job.signal.addEventListener('abort', lost, { once: true })
  }
}
