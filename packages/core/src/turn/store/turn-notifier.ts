import { createHash } from 'node:crypto'
import type { Processes } from '@sibyl/storage'

const callForm = /^(?:turn|tools) [\w-]{1,64}$/

/**
 * Notifications between the processes that share a database. One about a turn says only that it has news in the database: the
 * process that runs the turn stores new events and reads requests of others; the processes that follow it read on. One about
 * tools says that a session has others.
 */
export class TurnNotifier {
  readonly #processes: Processes
  /** By the text of the call. */
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(processes: Processes) {
    this.#processes = processes
    processes.onCall(text => {
      if (callForm.test(text)) this.#call(text)
    })
    processes.onReturn(() => {
      for (const text of [...this.#listeners.keys()]) this.#call(text)
    })
  }

  /** Calls back with every turn that another process notifies of. */
  onEvery(listener: (turnId: string) => void): void {
    this.#processes.onCall(text => {
      if (callForm.test(text) && text.startsWith('turn ')) listener(text.slice('turn '.length))
    })
  }

  /** Makes the other processes read a turn. */
  notify(turnId: string): void {
    this.#processes.call(`turn ${turnId}`)
  }

  /** Calls back when another process says that there is something to see of a turn, until the returned function is called. */
  listen(turnId: string, listener: () => void): () => void {
    return this.#listen(`turn ${turnId}`, listener)
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

  /** Notifies the listeners of all processes that a session has other tools. */
  toolsChanged(owner: string, sessionId: string): void {
    const text = toolsOf(owner, sessionId)
    this.#call(text)
    this.#processes.call(text)
  }

  /** Calls back when a session may have other tools, until the returned function is called. */
  onToolsChanged(owner: string, sessionId: string, listener: () => void): () => void {
    return this.#listen(toolsOf(owner, sessionId), listener)
  }

  #call(text: string): void {
    for (const listener of [...(this.#listeners.get(text) ?? [])]) listener()
  }

  #listen(text: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(text) ?? new Set()
    const own = () => listener()
    this.#listeners.set(text, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#listeners.get(text) === listeners) this.#listeners.delete(text)
    }
  }
}

/** The text of a call about a session, which reveals neither its owner nor its id. */
const toolsOf = (owner: string, sessionId: string): string =>
  `tools ${createHash('sha256').update(`${owner}\n${sessionId}`).digest('base64url')}`
