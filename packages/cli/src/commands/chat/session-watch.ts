import { type OracleClient, ProblemError } from '@sibyl/client'
import type { SessionMessage, SessionRecord } from '@sibyl/protocol'
import type { CommandIo } from '../../process/command-io.ts'

interface SessionWatchParts {
  readonly client: OracleClient
  readonly sessionId: string
  /** Whether the session was there before: what is in it then is not news. */
  readonly isOld: boolean
  readonly io: Pick<CommandIo, 'now' | 'later'>
  /** Shows messages, the oldest first; false where it cannot be now, and they come again. */
  show(messages: readonly SessionMessage[]): boolean
}

/** How long it waits between two looks in milliseconds: as a rule, after a while without news, and at most. */
const usualMs = 5_000
const quietMs = 20_000
const longestMs = 60_000

/** How long nothing has to happen before it is quiet, in milliseconds. */
const quietAfterMs = 600_000

/**
 * Looks from time to time for what came into a session from elsewhere, such as the result of a task, and shows it. While
 * the oracle does not answer it looks ever more rarely and says nothing; once it was told that it asks too often, it keeps to
 * one look a minute.
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

  /** A message is on the screen already, or will be before the next start. */
  know(messageId: string): void {
    this.#known.add(messageId)
    this.#newsAt = this.#parts.io.now()
  }

  /** Begins to look; it is over when the returned function is called. */
  start(): () => void {
    this.#failures = 0
    const ending = new AbortController()
    let cancel = () => {}
    const lookIn = (milliseconds: number) => {
      cancel = this.#parts.io.later(milliseconds, async () => {
        await this.#look(ending.signal)
        if (!ending.signal.aborted) lookIn(this.#pauseMs())
      })
    }
    lookIn(this.#hasBegun ? this.#pauseMs() : 0)
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

  async #look(signal: AbortSignal): Promise<void> {
    const { client, sessionId } = this.#parts
    try {
      this.#take(await client.sessions.get(sessionId, { after: this.#last, signal }), signal)
      this.#failures = 0
    } catch (error) {
      if (signal.aborted) return
      const code = error instanceof ProblemError ? error.code : undefined
      this.#isLimited ||= code === 'rate_limited'
      // Nobody said anything there yet.
      if (code === 'session_not_found') this.#hasBegun = true
      this.#failures = Math.min(this.#failures + 1, 10)
    }
  }

  #take({ messages, runningTurn }: SessionRecord, signal: AbortSignal): void {
    // The answer of a turn that somebody else began is told once, when it is whole.
    if (signal.aborted || runningTurn !== undefined) return
    const news = messages.filter(({ id }) => !this.#known.has(id))
    if (this.#hasBegun && news.length > 0 && !this.#parts.show(news)) return
    this.#hasBegun = true
    for (const { id } of news) this.know(id)
    this.#last = messages.at(-1)?.id ?? this.#last
  }
}
