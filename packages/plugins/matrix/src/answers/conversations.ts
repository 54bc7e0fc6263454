import { createHash } from 'node:crypto'
import type { RoomFacts } from '../rooms/room-facts.ts'

/** Returns the session of a room, or of a thread in it; each user has a separate one with that name. */
export const sessionOf = (roomId: string, thread: string | null): string =>
  `matrix-${createHash('sha256')
    .update(`${roomId}\n${thread ?? ''}`)
    .digest('hex')
    .slice(0, 32)}`

/** Returns a short hash of an event, which reveals nothing about it, for transaction ids and limits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Maximum number of cached sessions. */
const maxSessions = 5_000

/** Rooms of sessions, for decisions without a database read. */
export class Conversations {
  readonly #rooms = new Map<string, string>()

  /** Stores the room of a session. */
  remember(session: string, { roomId }: Pick<RoomFacts, 'roomId'>): void {
    this.#rooms.delete(session)
    this.#rooms.set(session, roomId)
    const [oldest] = this.#rooms.keys()
    if (this.#rooms.size > maxSessions && oldest !== undefined) this.#rooms.delete(oldest)
  }

  /**
   * Returns whether a session takes place in a room. False if it is unknown, and for an alias, because a room may claim
   * another room's alias.
   */
  isIn(session: string, roomId: string): boolean {
    return this.#rooms.get(session) === roomId.trim()
  }
}

/** Time after an answer within which a message is probably automatic, in milliseconds. */
const fastMs = 1_500
/** Number of such messages in a row that form a loop, and the pause that follows, in milliseconds. */
const loop = { messages: 12, restMs: 3_600_000 }
/** Maximum number of users in the guard. */
const maxPeople = 10_000

/**
 * Detects programs that answer the bot's answers, and stops the loop; not all of them use `m.notice` and `m.automated`.
 */
export class LoopGuard {
  readonly #people = new Map<string, { answeredAt: number; fast: number; restsUntil: number }>()

  /** Records an answer to a user. @param now Milliseconds since 1970. */
  answered(roomId: string, sender: string, now: number): void {
    const key = `${roomId} ${sender}`
    const { fast = 0, restsUntil = 0 } = this.#people.get(key) ?? {}
    this.#people.delete(key)
    this.#people.set(key, { answeredAt: now, fast, restsUntil })
    const [oldest] = this.#people.keys()
    if (this.#people.size > maxPeople && oldest !== undefined) this.#people.delete(oldest)
  }

  /**
   * Returns whether a message is part of a loop: `begins` for the first one that is not answered.
   *
   * @param at Time of the message, in milliseconds since 1970.
   */
  loop(roomId: string, sender: string, at: number): 'none' | 'begins' | 'goes on' {
    const person = this.#people.get(`${roomId} ${sender}`)
    if (!person) return 'none'
    if (at < person.restsUntil) return 'goes on'
    const isFast = at > person.answeredAt && at - person.answeredAt < fastMs
    person.fast = isFast ? person.fast + 1 : 0
    if (person.fast < loop.messages) return 'none'
    person.fast = 0
    person.restsUntil = at + loop.restMs
    return 'begins'
  }
}
