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
