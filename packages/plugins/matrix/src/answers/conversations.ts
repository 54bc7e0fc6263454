import { createHash } from 'node:crypto'
import type { RoomFacts } from '../rooms/room-facts.ts'

/** The session of a room, or of a thread in it; each person has an own one of that name. */
export const sessionOf = (roomId: string, thread: string | null): string =>
  `matrix-${createHash('sha256')
    .update(`${roomId}\n${thread ?? ''}`)
    .digest('hex')
    .slice(0, 32)}`

/** A name for an event that is short and shows nothing of it: for transaction ids and limits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The most sessions that are known. */
const mostSessions = 5_000

/** In which room a session takes place, for what must be decided without looking it up. */
export class Conversations {
  readonly #rooms = new Map<string, string>()

  /** Notes where a session takes place. */
  remember(session: string, { roomId }: Pick<RoomFacts, 'roomId'>): void {
    this.#rooms.delete(session)
    this.#rooms.set(session, roomId)
    const [oldest] = this.#rooms.keys()
    if (this.#rooms.size > mostSessions && oldest !== undefined) this.#rooms.delete(oldest)
  }

  /**
   * Whether a session takes place in a room. False where that is not known, and for an alias: a room may say that it bears
   * another one's.
   */
  isIn(session: string, roomId: string): boolean {
    return this.#rooms.get(session) === roomId.trim()
  }
}

/** How soon after an answer the next message comes, in milliseconds, when no person writes it. */
const fastMs = 1_500
/** How many such messages in a row make a loop, and how long nothing is answered then, in milliseconds. */
const loop = { messages: 12, restMs: 3_600_000 }
/** The most people that are watched. */
const mostPeople = 10_000

/** Notices when a program answers the bot's answers, and stops that: `m.notice` and `m.automated` do not tell all of them. */
export class LoopGuard {
  readonly #people = new Map<string, { answeredAt: number; fast: number; restsUntil: number }>()

  /** Notes that somebody was answered. @param now Milliseconds since 1970. */
  answered(roomId: string, sender: string, now: number): void {
    const key = `${roomId} ${sender}`
    const { fast = 0, restsUntil = 0 } = this.#people.get(key) ?? {}
    this.#people.delete(key)
    this.#people.set(key, { answeredAt: now, fast, restsUntil })
    const [oldest] = this.#people.keys()
    if (this.#people.size > mostPeople && oldest !== undefined) this.#people.delete(oldest)
  }

  /**
   * Whether a message is one too many of a loop: `begins` for the first one that is not answered.
   *
   * @param at When it came, in milliseconds since 1970.
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
