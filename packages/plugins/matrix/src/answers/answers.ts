import { pause } from '@sibyl/plugin'
import { matrixErrors } from '../client/matrix-errors.ts'
import { backOffMs, roomPauseMs, StillFailing } from '../client/retry-send.ts'
import { type AnswerDependencies, AnswerMessage } from './answer-message.ts'
import type { Inbox, InboxMessage, Lane } from './inbox.ts'

/**
 * Limits of concurrent answers: of users, including those whose rooms currently reject messages, and of those whose
 * rooms rejected messages before.
 */
const max = { atOnce: 8, withResting: 200, left: 100 }
/** Maximum number of attempts of a message. */
const maxTries = 20
/** Time for which an answer is retried in a room that rejects it, in milliseconds. */
const triedMs = 24 * 3_600_000
/** Maximum interval between two reads of the inbox, in milliseconds. */
const longestMs = 900_000

/** Answers the waiting messages: one after the other for a user in a room, several users at once. */
export class Answers {
  readonly #parts: Omit<AnswerDependencies, 'rest'>
  readonly #inbox: Inbox
  readonly #signal: AbortSignal
  readonly #lanes = new Map<string, Promise<void>>()
  #reading: Promise<void> | undefined
  #again = false
  /** Number of lanes that wait for a retry; they do not delay others. */
  #resting = 0
  /** Number of lanes of rooms that rejected messages before. */
  #left = 0
  /** Ends the wait for the next room to retry. */
  #alarm = new AbortController()

  /** @param signal Stops it; unanswered messages stay in the database. */
  constructor(parts: Omit<AnswerDependencies, 'rest'>, signal: AbortSignal) {
    this.#parts = parts
    this.#inbox = parts.inbox
    this.#signal = signal
  }

  /** Reads the waiting messages. Never rejects. */
  kick(): void {
    this.#again = true
    this.#reading ??= this.#check().finally(() => {
      this.#reading = undefined
    })
  }

  /** Waits for the current work, once the signal has aborted. */
  async idle(): Promise<void> {
    await this.#reading
    await Promise.all(this.#lanes.values())
  }

  async #check(): Promise<void> {
    while (this.#again && !this.#signal.aborted) {
      this.#again = false
      try {
        const { lanes, nextRetry } = await this.#inbox.check()
        for (const lane of lanes) if (!this.#isFull(lane)) this.#begin(lane)
        this.#setAlarm(nextRetry)
      } catch (error) {
        this.#parts.host.log.warn('messages from Matrix could not be read', { error })
        await pause(2_000, this.#signal).catch(() => {})
        this.#again = true
      }
    }
  }

  #isFull({ isLeft }: Lane): boolean {
    if (this.#lanes.size >= max.withResting) return true
    return isLeft ? this.#left >= max.left : this.#lanes.size - this.#resting >= max.atOnce
  }

  /** Schedules the next read for the next room to retry. @param at Milliseconds since 1970. */
  #setAlarm(at: number | undefined): void {
    this.#alarm.abort()
    this.#alarm = new AbortController()
    if (at === undefined) return
    const waitMs = Math.min(longestMs, Math.max(0, at - this.#parts.host.clock.now()))
    const signal = AbortSignal.any([this.#signal, this.#alarm.signal])
    pause(waitMs, signal).then(
      () => this.kick(),
      () => {},
    )
  }

  async #rest<Value>(retrying: Promise<Value>): Promise<Value> {
    this.#resting += 1
    this.kick()
    try {
      return await retrying
    } finally {
      this.#resting -= 1
    }
  }

  #begin(lane: Lane): void {
    const key = `${lane.roomId} ${lane.sender}`
    if (this.#lanes.has(key)) return
    const work = (lane.isLeft ? this.#tryAgain(lane) : this.#run(lane)).finally(() => {
      this.#lanes.delete(key)
      if (!this.#signal.aborted) this.kick()
    })
    this.#lanes.set(key, work)
  }

  /** Runs a lane whose room rejected messages before, without delaying others. */
  async #tryAgain(lane: Lane): Promise<void> {
    this.#left += 1
    try {
      await this.#rest(this.#run(lane))
    } finally {
      this.#left -= 1
    }
  }

  async #run(lane: Lane): Promise<void> {
    for (let failures = 0; !this.#signal.aborted; ) {
      try {
        const message = await this.#inbox.next(lane)
        if (!message || !(await this.#answer(message))) return
        failures = 0
      } catch (error) {
        if (this.#signal.aborted) return
        failures += 1
        this.#parts.host.log.warn('a message from Matrix could not be answered yet', { error })
        await this.#rest(pause(backOffMs(error, failures), this.#signal)).catch(() => {})
      }
    }
  }

  /** @returns whether the room accepts answers */
  async #answer(message: InboxMessage): Promise<boolean> {
    const { log } = this.#parts.host
    try {
      if (message.tries >= maxTries) {
        log.error('a message from Matrix is not answered: it failed too often', { event: message.eventId })
        await this.#inbox.end(message)
        return true
      }
      // A lane of a room that rejected messages before rests from its start.
      const rest = message.isLeft
        ? <Value>(retrying: Promise<Value>) => retrying
        : <Value>(retrying: Promise<Value>) => this.#rest(retrying)
      await new AnswerMessage({ ...this.#parts, rest }, message, this.#signal).run()
    } catch (error) {
      if (error instanceof StillFailing) {
        await this.#leave(message, error)
        return false
      }
      if (!matrixErrors.matrix_refused.is(error)) throw error
      log.warn('a message from Matrix is not answered: the homeserver rejects the answer', { error })
      await this.#inbox.end(message)
    }
    return true
  }

  /** Postpones a message, so that others are answered; drops it after a day. */
  async #leave(message: InboxMessage, { cause: error }: StillFailing): Promise<void> {
    const { host } = this.#parts
    const now = host.clock.now()
    const waitedMs = now - message.at
    if (waitedMs >= triedMs) {
      const messages = await this.#inbox.giveUp(message.roomId, now - triedMs)
      if (messages > 0) {
        host.log.warn('answers for a Matrix room were dropped: it rejected all for a day', { error, messages })
      }
      return
    }
    const waitMs = roomPauseMs(waitedMs)
    await this.#inbox.leave(message, now + waitMs)
    const level = message.isLeft ? 'debug' : 'warn'
    host.log[level]('a Matrix room currently rejects answers; it is retried', { error })
  }
}
