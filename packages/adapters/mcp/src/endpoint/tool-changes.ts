import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Actor, Host } from '@sibyl/plugin'
import { mainSession } from '../tools/session-ids.ts'

/** The changes of the tools of callers, in any process. */
export interface ToolChanges {
  /** The bus of the SDK: a subscription made within `within` gets the changes of that caller alone. */
  readonly bus: ServerEventBus
  /**
   * Serves a request of a caller.
   *
   * @param onEnd Called once the subscription of the request has ended, or the request made none.
   */
  within(actor: Actor, serve: () => Promise<Response>, onEnd?: () => void): Promise<Response>
  /** Adds a listener of a caller; returns a function that removes it. */
  listen(actor: Actor, listener: () => void): () => void
}

/** The caller of a request that may subscribe. */
interface Subscriber {
  readonly actor: Actor
  readonly onEnd: () => void
  isFollowing: boolean
}

/** Follows the session in which the capabilities of each caller are loaded. */
export const createToolChanges = ({ turns }: Pick<Host, 'turns'>): ToolChanges => {
  const current = new AsyncLocalStorage<Subscriber>()
  const listen: ToolChanges['listen'] = ({ did }, listener) => turns.onToolsChanged(did, mainSession, listener)
  return {
    bus: {
      publish() {},
      subscribe(listener: (event: ServerEvent) => void) {
        const subscriber = current.getStore()
        if (!subscriber) return () => {}
        const stop = listen(subscriber.actor, () => listener({ kind: 'tools_list_changed' }))
        subscriber.isFollowing = true
        return () => {
          stop()
          subscriber.onEnd()
        }
      },
    },
    async within(actor, serve, onEnd = () => {}) {
      const subscriber: Subscriber = { actor, onEnd, isFollowing: false }
      try {
        return await current.run(subscriber, serve)
      } finally {
        if (!subscriber.isFollowing) onEnd()
      }
    },
    listen,
  }
}
