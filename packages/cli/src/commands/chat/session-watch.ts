import type { SessionRecord } from '@sibyl/client'
import { type OracleClient, ProblemError } from '@sibyl/client'
import type { CommandIo } from '../../process/command-io.ts'
import type { SessionMessage } from './chat-view.ts'

interface SessionWatchParts {
  readonly client: OracleClient
  readonly sessionId: string
  /** Whether the session existed before: its earlier messages are not new. */
  readonly isOld: boolean
  readonly io: Pick<CommandIo, 'now' | 'later'>
  /** Shows messages, oldest first. Returns false if that is not possible now; they are passed again later. */
  show(messages: readonly SessionMessage[]): boolean
}

/** Intervals between polls in milliseconds: usual, after a quiet period, and maximum. */
const usualMs = 5_000
const quietMs = 20_000
const longestMs = 60_000

/** Time without new messages after which the session counts as quiet, in milliseconds. */
const quietAfterMs = 600_000

/**
 * Polls a session for messages from elsewhere, such as the result of a task, and shows them. It polls less often while
 * the oracle does not respond, without an error message; after a rate limit it polls once per minute.
 */
export class SessionWatch {
  readonly #parts: SessionWatchParts
  readonly #known = new Set<string>()
  #hasBegun: boolean
  #last: string | undefined
  #failures = 0
  #isLimited = false
  #newsAt: number

  constructor(parts: SessionWatchParts) {
    this.#parts = parts
    this.#hasBegun = !parts.isOld
    this.#newsAt = parts.io.now()
  }

  /** Marks a message as shown, or as shown before the next start. */
  know(messageId: string): void {
    this.#known.add(messageId)
    this.#newsAt = this.#parts.io.now()
  }

  /** Starts polling; the returned function stops it. */
  start(): () => void {
    this.#failures = 0
    const ending = new AbortController()
    let cancel = () => {}
    const pollIn = (milliseconds: number) => {
      cancel = this.#parts.io.later(milliseconds, async () => {
        await this.#check(ending.signal)
        if (!ending.signal.aborted) pollIn(this.#pauseMs())
      })
    }
    pollIn(this.#hasBegun ? this.#pauseMs() : 0)
    return () => {
      cancel()
      ending.abort()
    }
  }

  #pauseMs(): number {
    if (this.#isLimited) return longestMs
    const isQuiet = this.#parts.io.now() - this.#newsAt > quietAfterMs
    return Math.min((isQuiet ? quietMs : usualMs) * 2 ** this.#failures, longestMs)
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { client, sessionId } = this.#parts
    try {
      this.#receive(await client.sessions.get(sessionId, { after: this.#last, signal }), signal)
      this.#failures = 0
    } catch (error) {
      if (signal.aborted) return
      const code = error instanceof ProblemError ? error.code : undefined
      this.#isLimited ||= code === 'rate_limited'
      // No messages yet.
      if (code === 'session_not_found') this.#hasBegun = true
      this.#failures = Math.min(this.#failures + 1, 10)
    }
  }

  #receive({ messages, runningTurn }: SessionRecord, signal: AbortSignal): void {
    // The answer to a turn started elsewhere is shown once, when it is complete.
    if (signal.aborted || runningTurn !== undefined) return
    const news = messages.filter(({ id }) => !this.#known.has(id))
    if (this.#hasBegun && news.length > 0 && !this.#parts.show(news)) return
    this.#hasBegun = true
    for (const { id } of news) this.know(id)
    this.#last = messages.at(-1)?.id ?? this.#last
  }
}
