import type { RoomFacts } from '../rooms/room-facts.ts'

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
