import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'

/** Notifies the clients of a caller that its tools have changed. */
export interface ToolChanges {
  /** The bus of the SDK: a subscription made within `within` gets the changes of that caller alone. */
  readonly bus: ServerEventBus
  /** Serves a request of a caller. */
  within<Result>(did: string, serve: () => Result): Result
  /** Notifies the clients of a caller that are connected to this process. */
  notify(did: string): void
  /** Adds a listener of a caller; returns a function that removes it. */
  listen(did: string, listener: () => void): () => void
}

/** Creates the notifications of one process. */
export const createToolChanges = (): ToolChanges => {
  const current = new AsyncLocalStorage<string>()
  const listeners = new Map<string, Set<() => void>>()
  const listen: ToolChanges['listen'] = (did, listener) => {
    const ofDid = listeners.get(did) ?? new Set()
    listeners.set(did, ofDid)
    ofDid.add(listener)
    return () => {
      ofDid.delete(listener)
      if (ofDid.size === 0) listeners.delete(did)
    }
  }
  return {
    bus: {
      publish() {},
      subscribe(listener: (event: ServerEvent) => void) {
        const did = current.getStore()
        return did === undefined ? () => {} : listen(did, () => listener({ kind: 'tools_list_changed' }))
      },
    },
    within: (did, serve) => current.run(did, serve),
    notify(did) {
      for (const listener of [...(listeners.get(did) ?? [])]) listener()
    },
    listen,
  }
}
