import type { Logger } from '@sibyl/plugin'
import type { OracleEvents } from './oracle-app.ts'

/** The listeners for events of an oracle; errors of a listener are logged. */
export class OracleListeners {
  readonly #log: Logger
  readonly #listeners = new Map<keyof OracleEvents, Set<(detail: never) => void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a listener; the returned function removes it. */
  add<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Notifies the listeners. */
  report<Name extends keyof OracleEvents>(event: Name, detail: OracleEvents[Name]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(detail as never)
      } catch (error) {
        this.#log.error('a listener failed', { event, error })
      }
    }
  }
}
