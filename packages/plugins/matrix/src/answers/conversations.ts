import type { RoomFacts } from '../rooms/room-facts.ts'

/** The most sessions that are known. */
const mostSessions = 5_000

/** In which room a session takes place, for what must be decided without looking it up. */
export class Conversations {
  readonly #rooms = new Map<string, readonly string[]>()

  /** Notes where a session takes place. */
  remember(session: string, { roomId, alias }: Pick<RoomFacts, 'roomId' | 'alias'>): void {
    this.#rooms.delete(session)
    this.#rooms.set(session, alias === null ? [roomId] : [roomId, alias])
    const [oldest] = this.#rooms.keys()
    if (this.#rooms.size > mostSessions && oldest !== undefined) this.#rooms.delete(oldest)
  }

  /** Whether a session takes place in a room, by its id or alias. False where that is not known. */
  isIn(session: string, room: string): boolean {
    return this.#rooms.get(session)?.includes(room.trim()) === true
  }
}
