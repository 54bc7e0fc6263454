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

export const createWebhookDispatcher = ({ store, feed, signal, log, wake }: DispatcherDependencies) => {
  /** Position up to which changes were read; undefined while there is no webhook. */
  let position: ChangePosition | undefined
  let reading: Promise<void> | undefined
  let isRungAgain = false
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    if (reading) {
      isRungAgain = true
      return
    }
    clearTimeout(timer)
    reading = dispatch()
      .catch(error => {
        log.warn('webhooks could not be checked', { error })
        return true
      })
      .then(again => {
        reading = undefined
        if (isRungAgain) {
          isRungAgain = false
          check()
        } else if (again) {
          timer = setTimeout(() => check(), pollAgainMs)
          timer.unref()
        }
      })
  }
  /** Reads new changes once; returns whether it has to run again soon. */
  const dispatch = async (): Promise<boolean> => {
    const webhooks = await store.list('active')
    if (webhooks.length === 0) {
      position = undefined
      return false
    }
    if (position === undefined) {
      const tip = await feed.tip()
      await wakeBehind(webhooks, tip)
      position = tip
    }
    const { changes, isFull, isHeldBack } = await feed.read(position)
    // A failing webhook has a scheduled retry.
    for (const webhook of webhooks.filter(({ failures }) => failures === 0)) {
      const last = changes.findLast(change => matchesFilters(webhook.filters, change))
      if (last) await wakeBehind([webhook], last.position)
    }
    position = changes.at(-1)?.position ?? position
    if (isFull) isRungAgain = true
    return isHeldBack
  }
  const wakeBehind = async (webhooks: readonly Webhook[], tip: ChangePosition): Promise<void> => {
    for (const { id, position } of webhooks) if (isAfter(tip, position)) await wake(id)
  }
  const unlisten = signal.listen(() => check())
  return {
    /** Wakes every webhook with pending changes. */
    async sweep(): Promise<void> {
      const webhooks = await store.list('active')
      if (webhooks.length > 0) await wakeBehind(webhooks, await feed.tip())
    },
    /** Stops the checks and waits for the current one. */
    async stop(): Promise<void> {
      unlisten()
      isRungAgain = false
      clearTimeout(timer)
      await reading
      clearTimeout(timer)
    },
  }
}

/**
 * Requests the deliveries of webhooks. After each signal of this process it checks which webhooks select the new
 * changes. The sweep finds the changes of crashed processes.
 */
export type WebhookDispatcher = ReturnType<typeof createWebhookDispatcher>
