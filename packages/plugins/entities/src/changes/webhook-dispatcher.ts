import type { Logger } from '@sibyl/plugin'
import { type ChangePosition, isAfter, matchesFilters } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { ChangeSignal } from './change-signal.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

export interface DispatcherDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly signal: ChangeSignal
  /** Enqueues the job of a run; false if it is already waiting or running. */
  readonly enqueue: (webhook: string, run: number) => Promise<boolean>
  readonly log: Logger
}

/** Pause before the next check for changes that were delayed or whose job was busy, in milliseconds. */
const pollAgainMs = 300

/**
 * Enqueues the jobs that deliver changes. After each signal of this process it checks which webhooks select the new
 * changes. The sweep finds the changes of crashed processes.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherDependencies
  readonly #unlisten: () => void
  /** Position up to which changes were read; undefined while there is no webhook. */
  #position: ChangePosition | undefined
  /** Webhooks whose running job may have missed a change, and the position of that change. */
  readonly #owed = new Map<string, ChangePosition>()
  /** Time at which the job of a webhook was last busy, by `performance.now()`. */
  readonly #busyAt = new Map<string, number>()
  #reading: Promise<void> | undefined
  #isRungAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DispatcherDependencies) {
    this.#parts = parts
    this.#unlisten = parts.signal.listen(() => this.#check())
  }

  /** Enqueues every webhook with pending changes. */
  async sweep(): Promise<void> {
    const { store, feed, enqueue } = this.#parts
    const webhooks = await store.list('active')
    if (webhooks.length === 0) return
    const tip = await feed.tip()
    for (const { id, run, position } of webhooks) {
      if (isAfter(tip, position)) await enqueue(id, run)
    }
  }

  /** Stops the checks and waits for the current one. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#isRungAgain = false
    clearTimeout(this.#timer)
    await this.#reading
    clearTimeout(this.#timer)
  }

  #check(): void {
    if (this.#reading) {
      this.#isRungAgain = true
      return
    }
    clearTimeout(this.#timer)
    this.#reading = this.#dispatch()
      .catch(error => {
        this.#parts.log.warn('webhooks could not be checked', { error })
        return true
      })
      .then(again => {
        this.#reading = undefined
        if (this.#isRungAgain) {
          this.#isRungAgain = false
          this.#check()
        } else if (again) {
          this.#timer = setTimeout(() => this.#check(), pollAgainMs)
          this.#timer.unref()
        }
      })
  }

  /** Reads new changes once; returns whether it has to run again soon. */
  async #dispatch(): Promise<boolean> {
    const { store, feed } = this.#parts
    const webhooks = await store.list('active')
    if (webhooks.length === 0) {
      this.#position = undefined
      this.#owed.clear()
      this.#busyAt.clear()
      return false
    }
    if (this.#position === undefined) {
      this.#position = await feed.tip()
      for (const { id } of webhooks) this.#owed.set(id, this.#position)
    }
    const page = await feed.read(this.#position)
    for (const webhook of webhooks) {
      const last = page.changes.findLast(change => matchesFilters(webhook.filters, change))
      if (last) this.#owed.set(webhook.id, last.position)
    }
    await this.#handOver(webhooks)
    this.#position = page.changes.at(-1)?.position ?? this.#position
    if (page.isFull) this.#isRungAgain = true
    return page.isHeldBack || this.#owed.size > 0
  }

  async #handOver(webhooks: readonly Webhook[]): Promise<void> {
    const known = new Map(webhooks.map(webhook => [webhook.id, webhook]))
    for (const [id, position] of this.#owed) {
      const webhook = known.get(id)
      // A failing webhook already has a scheduled job.
      const isSettled = !webhook || webhook.failures > 0 || !isAfter(position, webhook.position)
      if (isSettled || (await this.#enqueue(webhook))) this.#owed.delete(id)
    }
  }

  async #enqueue({ id, run }: Webhook): Promise<boolean> {
    const now = performance.now()
    if (now - (this.#busyAt.get(id) ?? Number.NEGATIVE_INFINITY) < pollAgainMs) return false
    const isTaken = await this.#parts.enqueue(id, run)
    if (isTaken) this.#busyAt.delete(id)
    else this.#busyAt.set(id, now)
    return isTaken
  }
}
