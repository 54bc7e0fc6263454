import type { Processes } from '@sibyl/storage'

const callForm = /^turn ([\w-]{1,64})$/

/**
 * Notifications between the processes that share a database: one says only that a turn has news in the database. The process
 * that runs the turn stores new events and reads requests of others; the processes that follow it read on.
 */
export class TurnNotifier {
  readonly #processes: Processes
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(processes: Processes) {
    this.#processes = processes
    this.onEvery(turnId => {
      for (const listener of [...(this.#listeners.get(turnId) ?? [])]) listener()
    })
  }

  /** Calls back with every turn that another process notifies of. */
  onEvery(listener: (turnId: string) => void): void {
    this.#processes.onCall(text => {
      const turnId = callForm.exec(text)?.[1]
      if (turnId !== undefined) listener(turnId)
    })
  }

  /** Makes the other processes read a turn. */
  notify(turnId: string): void {
    this.#processes.call(`turn ${turnId}`)
  }

  /** Calls back when another process says that there is something to see of a turn, until the returned function is called. */
  listen(turnId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(turnId) ?? new Set()
    this.#listeners.set(turnId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(turnId) === listeners) this.#listeners.delete(turnId)
    }
  }

  /** Resolves at the next call about a turn, or after a while. */
  notified(turnId: string, limitMs: number): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(done, limitMs)
      const forget = this.listen(turnId, done)
    })
  }
}
