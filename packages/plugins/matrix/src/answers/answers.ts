import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '../client/back-off.ts'
import { MatrixRefused } from '../matrix-errors.ts'
import { AnswerMessage, type AnswerParts } from './answer-message.ts'
import type { Inbox, InboxMessage } from './inbox.ts'

/** The most people that are answered at once, and with those whose room or homeserver takes nothing just now. */
const most = { atOnce: 8, withResting: 200 }
/** How often a message is tried before it is left. */
const mostTries = 20

/** Answers the messages that wait: one after the other of a person in a room, several people at once. */
export class Answers {
  readonly #parts: Omit<AnswerParts, 'rest'>
  readonly #inbox: Inbox
  readonly #signal: AbortSignal
  readonly #lanes = new Map<string, Promise<void>>()
  #looking: Promise<void> | undefined
  #again = false
  /** How many lanes wait until they may try again: they keep nobody else waiting. */
  #resting = 0

  /** @param signal Ends it: what was not answered by then waits in the database. */
  constructor(parts: Omit<AnswerParts, 'rest'>, signal: AbortSignal) {
    this.#parts = parts
    this.#inbox = parts.inbox
    this.#signal = signal
  }

  /** Looks for messages that wait. Never rejects. */
  kick(): void {
    this.#again = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /** Waits for what is under way, once the signal has aborted. */
  async idle(): Promise<void> {
    await this.#looking
    await Promise.all(this.#lanes.values())
  }

  async #look(): Promise<void> {
    while (this.#again && !this.#signal.aborted) {
      this.#again = false
      try {
        for (const lane of await this.#inbox.lanes()) {
          if (this.#isFull()) break
          this.#begin(lane)
        }
      } catch (error) {
        this.#parts.host.log.warn('messages from Matrix could not be looked up', { error })
        await sleep(2_000, undefined, { signal: this.#signal }).catch(() => {})
        this.#again = true
      }
    }
  }

  #isFull(): boolean {
    return this.#lanes.size - this.#resting >= most.atOnce || this.#lanes.size >= most.withResting
  }

  async #rest(pause: Promise<void>): Promise<void> {
    this.#resting += 1
    this.kick()
    try {
      await pause
    } finally {
      this.#resting -= 1
    }
  }

  #begin(lane: Pick<InboxMessage, 'roomId' | 'sender'>): void {
    const key = `${lane.roomId} ${lane.sender}`
    if (this.#lanes.has(key)) return
    const work = this.#run(lane).finally(() => {
      this.#lanes.delete(key)
      if (!this.#signal.aborted) this.kick()
    })
    this.#lanes.set(key, work)
  }

  async #run(lane: Pick<InboxMessage, 'roomId' | 'sender'>): Promise<void> {
    for (let failures = 0; !this.#signal.aborted; ) {
      try {
        const message = await this.#inbox.next(lane)
        if (!message) return
        await this.#answer(message)
        failures = 0
      } catch (error) {
        if (this.#signal.aborted) return
        failures += 1
        this.#parts.host.log.warn('a message from Matrix could not be answered yet', { error })
        await this.#rest(sleep(backOffMs(error, failures), undefined, { signal: this.#signal })).catch(() => {})
      }
    }
  }

  async #answer(message: InboxMessage): Promise<void> {
    try {
      if (message.tries >= mostTries) {
        this.#parts.host.log.error('a message from Matrix is left unanswered: it failed too often', {
          event: message.eventId,
        })
        return await this.#inbox.end(message)
      }
      const parts = { ...this.#parts, rest: (pause: Promise<void>) => this.#rest(pause) }
      await new AnswerMessage(parts, message, this.#signal).run()
    } catch (error) {
      if (!(error instanceof MatrixRefused)) throw error
      this.#parts.host.log.warn('a message from Matrix is left: the homeserver takes no answer to it', { error })
      await this.#inbox.end(message)
    }
  }
}
