import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Turns } from '@sibyl/plugin'
import { mainSession } from '../tools/session-ids.ts'

/** The changes of the tools of callers, in any process. */
export interface ToolChanges {
  /** The bus of the SDK: a subscription made within `within` gets the changes of that caller alone. */
  readonly bus: ServerEventBus
  /** Serves a request of a caller. */
  within<Result>(did: string, serve: () => Result): Result
  /** Adds a listener of a caller; returns a function that removes it. */
  listen(did: string, listener: () => void): () => void
}

/** Follows the session in which the capabilities of each caller are loaded. */
export const createToolChanges = (turns: Pick<Turns, 'onToolsChanged'>): ToolChanges => {
  const current = new AsyncLocalStorage<string>()
  const listen: ToolChanges['listen'] = (did, listener) => turns.onToolsChanged(did, mainSession, listener)
  return {
    bus: {
      publish() {},
      subscribe(listener: (event: ServerEvent) => void) {
        const did = current.getStore()
        return did === undefined ? () => {} : listen(did, () => listener({ kind: 'tools_list_changed' }))
      },
    },
    within: (did, serve) => current.run(did, serve),
    listen,
  }
}
