import type { Logger } from '@sibyl/plugin'
import { type ChangePosition, isAfter, matchesFilters } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { ChangeSignal } from './change-signal.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

export interface DispatcherDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly signal: ChangeSignal
  /** Requests the delivery of the pending changes of a webhook. */
  readonly wake: (webhook: string) => Promise<void>
  readonly log: Logger
}

/** Pause before the next check for changes that were delayed, in milliseconds. */
const pollAgainMs = 300

/**
 * Requests the deliveries of webhooks. After each signal of this process it checks which webhooks select the new
 * changes. The sweep finds the changes of crashed processes.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherDependencies
  readonly #unlisten: () => void
  /** Position up to which changes were read; undefined while there is no webhook. */
  #position: ChangePosition | undefined
  #reading: Promise<void> | undefined
  #isRungAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DispatcherDependencies) {
    this.#parts = parts
    this.#unlisten = parts.signal.listen(() => this.#check())
  }

  /** Wakes every webhook with pending changes. */
  async sweep(): Promise<void> {
    const webhooks = await this.#parts.store.list('active')
    if (webhooks.length > 0) await this.#wakeBehind(webhooks, await this.#parts.feed.tip())
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
      return false
    }
    if (this.#position === undefined) {
      const tip = await feed.tip()
      await this.#wakeBehind(webhooks, tip)
      this.#position = tip
    }
    const { changes, isFull, isHeldBack } = await feed.read(this.#position)
    // A failing webhook has a scheduled retry.
    for (const webhook of webhooks.filter(({ failures }) => failures === 0)) {
      const last = changes.findLast(change => matchesFilters(webhook.filters, change))
      if (last) await this.#wakeBehind([webhook], last.position)
    }
    this.#position = changes.at(-1)?.position ?? this.#position
    if (isFull) this.#isRungAgain = true
    return isHeldBack
  }

  async #wakeBehind(webhooks: readonly Webhook[], tip: ChangePosition): Promise<void> {
    for (const { id, position } of webhooks) if (isAfter(tip, position)) await this.#parts.wake(id)
  }
}
