import type { KnownSession, Session } from './session-record.ts'
import { timesOf } from './session-seals.ts'

/** Most sessions in memory, at about 2 KB each. */
const mostCopies = 2_000

interface Copy {
  readonly session: Session
  readonly updatedAt: number
  readonly expiresAt: number
}

/** Cache of the sessions that this process moved last, for a database that no other process uses. */
export class SessionCopies {
  readonly #copies = new Map<string, Copy>()

  /** Returns the session under this key, if it is cached. */
  get(key: string, now: number): KnownSession | undefined {
    const copy = this.#copies.get(key)
    if (copy === undefined) return undefined
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    return { ...copy.session, ...timesOf(copy, now), runs: false }
  }

  /** Caches what was just written; the least recently used session is removed. */
  set(session: Session, updatedAt: number, expiresAt: number): void {
    this.#copies.delete(session.key)
    this.#copies.set(session.key, { session, updatedAt, expiresAt })
    if (this.#copies.size <= mostCopies) return
    const oldest = this.#copies.keys().next()
    if (!oldest.done) this.#copies.delete(oldest.value)
  }

  /** Removes a session that may have changed on disk. */
  delete(key: string): void {
    this.#copies.delete(key)
  }

  /** Removes sessions that have expired. */
  forgetExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#copies) if (expiresAt <= now) this.#copies.delete(key)
  }

  clear(): void {
    this.#copies.clear()
  }
}
