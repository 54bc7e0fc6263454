import type { Logger } from '@sibyl/plugin'
import { type ChangePosition, isAfter, matchesFilters } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { ChangeSignal } from './change-signal.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

export interface DispatcherDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly signal: ChangeSignal
  /** Takes in the job of a run; false where it waits or runs already. */
  readonly enqueue: (webhook: string, run: number) => Promise<boolean>
  readonly log: Logger
}

/** Pause before the next check for changes that were held back, or whose job was busy, in milliseconds. */
const lookAgainMs = 300

/**
 * Enqueues the jobs that deliver changes. After each ring of this process it checks which webhooks want
 * what is new; what processes that crashed leave behind, the sweep finds.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherDependencies
  readonly #unlisten: () => void
  /** Position up to which changes were read; undefined while there is no webhook. */
  #position: ChangePosition | undefined
  /** Webhooks whose running job may or may not see their change, and where that is. */
  readonly #owed = new Map<string, ChangePosition>()
  /** Time at which the job of a webhook was last busy, by `performance.now()`. */
  readonly #busyAt = new Map<string, number>()
  #looking: Promise<void> | undefined
  #isRungAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DispatcherDependencies) {
    this.#parts = parts
    this.#unlisten = parts.signal.listen(() => this.#look())
  }

  /** Hands over every webhook that has something to get. */
  async sweep(): Promise<void> {
    const { store, feed, enqueue } = this.#parts
    const webhooks = await store.list('active')
    if (webhooks.length === 0) return
    const tip = await feed.tip()
    for (const { id, run, position } of webhooks) {
      if (isAfter(tip, position)) await enqueue(id, run)
    }
  }

  /** Stops looking, and waits until it has. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#isRungAgain = false
    clearTimeout(this.#timer)
    await this.#looking
    clearTimeout(this.#timer)
  }

  #look(): void {
    if (this.#looking) {
      this.#isRungAgain = true
      return
    }
    clearTimeout(this.#timer)
    this.#looking = this.#dispatch()
      .catch(error => {
        this.#parts.log.warn('webhooks could not be looked at', { error })
        return true
      })
      .then(again => {
        this.#looking = undefined
        if (this.#isRungAgain) {
          this.#isRungAgain = false
          this.#look()
        } else if (again) {
          this.#timer = setTimeout(() => this.#look(), lookAgainMs)
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
      // One that fails has a job that waits for its time.
      const isSettled = !webhook || webhook.failures > 0 || !isAfter(position, webhook.position)
      if (isSettled || (await this.#enqueue(webhook))) this.#owed.delete(id)
    }
  }

  async #enqueue({ id, run }: Webhook): Promise<boolean> {
    const now = performance.now()
    if (now - (this.#busyAt.get(id) ?? Number.NEGATIVE_INFINITY) < lookAgainMs) return false
    const isTaken = await this.#parts.enqueue(id, run)
    if (isTaken) this.#busyAt.delete(id)
    else this.#busyAt.set(id, now)
    return isTaken
  }
}
