import type { KnownSession, Session } from './session-record.ts'
import { timesOf } from './session-seals.ts'

/** How many sessions are kept in memory, at about 2 KB each. */
const mostCopies = 2_000

interface Copy {
  readonly session: Session
  readonly updatedAt: number
  readonly expiresAt: number
}

/** The sessions that this process moved last, as they are on disk, for a database that is this process's alone. */
export class SessionCopies {
  readonly #copies = new Map<string, Copy>()

  /** The session under this key, if it is among them. */
  get(key: string, now: number): KnownSession | undefined {
    const copy = this.#copies.get(key)
    if (copy === undefined) return undefined
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    return { ...copy.session, ...timesOf(copy, now), runs: false }
  }

  /** Keeps what was just written; the one not asked for longest gives way. */
  set(session: Session, updatedAt: number, expiresAt: number): void {
    this.#copies.delete(session.key)
    this.#copies.set(session.key, { session, updatedAt, expiresAt })
    if (this.#copies.size <= mostCopies) return
    const oldest = this.#copies.keys().next()
    if (!oldest.done) this.#copies.delete(oldest.value)
  }

  /** Forgets one that may have changed on disk. */
  delete(key: string): void {
    this.#copies.delete(key)
  }

  /** Forgets those that have expired. */
  forgetExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#copies) if (expiresAt <= now) this.#copies.delete(key)
  }

  /** Forgets all. */
  clear(): void {
    this.#copies.clear()
  }
}
