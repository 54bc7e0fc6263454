import type { Logger } from '@sibyl/plugin'
import type { OracleEvents } from './oracle-app.ts'

/** Those who listen to an oracle's events; one that throws does no harm. */
export class OracleListeners {
  readonly #log: Logger
  readonly #listeners = new Map<keyof OracleEvents, Set<(detail: never) => void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a listener; the returned function takes it away. */
  add<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Tells them. */
  tell<Name extends keyof OracleEvents>(event: Name, detail: OracleEvents[Name]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(detail as never)
      } catch (error) {
        this.#log.error('a listener failed', { event, error })
      }
    }
  }
}
