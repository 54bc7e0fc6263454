import type { AccessTokens } from '../api/api-client.ts'

/** The API key with which the explorer reads. */
export interface KeySession extends AccessTokens {
  readonly isOpen: boolean
  /** Whether the oracle rejected the last key after it had accepted it. */
  readonly isRejected: boolean
  open(key: string): void
  close(): void
  /** Calls a listener when a key is opened or closed. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

const storageKey = 'sibyl-explorer-key'

/**
 * Keeps a key until the tab is closed, or until the page is left where the browser stores nothing.
 *
 * @param storage Returns the storage of the tab, or throws.
 */
export const createKeySession = (storage: () => Storage = () => sessionStorage): KeySession => {
  const listeners = new Set<() => void>()
  const stored = <Value>(use: (storage: Storage) => Value): Value | undefined => {
    try {
      return use(storage())
    } catch {
      return undefined
    }
  }
  let key = stored(items => items.getItem(storageKey)) ?? undefined
  let isRejected = false
  const change = (next: string | undefined, rejected: boolean): void => {
    key = next
    isRejected = rejected
    stored(items => (next === undefined ? items.removeItem(storageKey) : items.setItem(storageKey, next)))
    for (const listener of listeners) listener()
  }
  return {
    get isOpen() {
      return key !== undefined
    },
    get isRejected() {
      return isRejected
    },
    open: next => change(next, false),
    close: () => change(undefined, false),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    accessToken(rejected) {
      if (rejected !== undefined && rejected === key) change(undefined, true)
      return Promise.resolve(key)
    },
  }
}
