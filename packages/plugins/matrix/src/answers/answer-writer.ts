import { type Logger, pause } from '@sibyl/plugin'
import type { MatrixClient } from '../client/matrix-client.ts'
import { backOffMs, type Rest, untilDone } from '../client/retry-send.ts'
import { answerMessages, editContent, type MessagePlace, type MessageText, textContent } from './message-content.ts'

/** Delay before the beginning of an answer is shown, and minimum intervals between its edits, in milliseconds. */
const pace = { firstMs: 1_000, editMs: 1_500, slowMs: 5_000 }
/** Number of edits after which it is edited less often. */
const manyEdits = 20
/** Interval between typing notifications, in milliseconds. */
const typingMs = 20_000

/** Maximum number of attempts before a message is postponed; a postponed answer is tried once. */
export const maxFailures = { first: 3, again: 1 }

/** The final form of an answer. */
export interface AnswerText {
  /** Markdown. */
  readonly text: string
  /** Plain text that follows: a question, or the reason why the answer ends. */
  readonly plain?: string
}

export interface AnswerWriterParts {
  readonly client: Pick<MatrixClient, 'send' | 'redact' | 'typing'>
  readonly log: Logger
  readonly place: MessagePlace
  /** Prefix of its transaction ids: the same for the same answer, also after a restart. */
  readonly key: string
  /** True if a part of it may have been sent before. */
  readonly isResumed: boolean
  /** Number of its messages that may have been sent before, if more than one. */
  readonly partsBefore: number
  /** Stores that the answer has more messages; resolves once it is on disk. */
  readonly grows: (parts: number) => Promise<void>
  readonly rest: Rest
  readonly signal: AbortSignal
}

/**
 * Writes one answer into a room while it grows: first a typing notification, then a message that is edited from time to
 * time, and finally the complete text, in as many messages as needed. The homeserver ignores repeated messages by their
 * transaction ids.
 */
export class AnswerWriter {
  readonly #parts: AnswerWriterParts
  readonly #sent: { eventId: string; text: MessageText }[] = []
  /** First content that was tried for each message whose delivery is unknown. */
  readonly #tried = new Map<number, string>()
  readonly #ended = new AbortController()
  readonly #growing: Promise<unknown>
  #text = ''
  #edits = 0

  constructor(parts: AnswerWriterParts) {
    this.#parts = parts
    this.#growing = Promise.all([this.#keepTyping(), this.#keepShowing()])
  }

  /** Updates the answer. */
  grow(text: string): void {
    this.#text = text
  }

  /**
   * Sends the final answer, and waits until the homeserver has accepted it.
   *
   * @throws `matrix_refused` if it may not be sent, StillFailing, or the signal's reason
   */
  async finish({ text, plain }: AnswerText): Promise<void> {
    await this.#stop()
    const { signal, isResumed, rest } = this.#parts
    const tries = { signal, rest, maxFailures: isResumed ? maxFailures.again : maxFailures.first }
    const parts = await answerMessages(text, plain)
    for (const [place, part] of parts.entries()) {
      const known = this.#sent[place]
      const isUnsure = !known && (isResumed || (this.#tried.get(place) ?? part.body) !== part.body)
      const sent = known ?? (await untilDone(() => this.#send(place, part), tries))
      if (sent.text.body === part.body && !isUnsure) continue
      await untilDone(() => this.#edit(place, sent.eventId, part, 'end'), tries)
    }
    const begun = Math.max(this.#parts.partsBefore, this.#sent.length, ...[...this.#tried.keys()].map(it => it + 1))
    for (let place = parts.length; place < begun; place += 1) {
      await untilDone(() => this.#takeBack(place), tries)
    }
  }

  /** Ends without further messages. */
  async abandon(): Promise<void> {
    await this.#stop()
  }

  async #stop(): Promise<void> {
    this.#ended.abort()
    await this.#growing
  }

  async #send(place: number, text: MessageText): Promise<{ eventId: string; text: MessageText }> {
    const { client, key, place: where, signal } = this.#parts
    const content = textContent(text, place === 0 ? where : { thread: where.thread })
    if (!this.#tried.has(place)) this.#tried.set(place, text.body)
    const sent = { eventId: await client.send(where.roomId, `${key}-${place}`, content, signal), text }
    this.#sent[place] = sent
    return sent
  }

  /** Removes a surplus message of a longer answer that was interrupted. */
  async #takeBack(place: number): Promise<void> {
    const { client, key, place: where, signal } = this.#parts
    // The transaction id returns its event: a message that was sent before is not sent again.
    const { eventId } = this.#sent[place] ?? (await this.#send(place, { body: '…' }))
    await client.redact(where.roomId, eventId, `${key}-${place}-gone`, signal)
  }

  async #edit(place: number, eventId: string, text: MessageText, version: string | number): Promise<void> {
    const { client, key, place: where, signal } = this.#parts
    await client.send(where.roomId, `${key}-${place}-${version}`, editContent(text, eventId), signal)
    this.#sent[place] = { eventId, text }
  }

  /** Shows the current state. */
  async #show(): Promise<void> {
    const { isResumed } = this.#parts
    const text = this.#text.trim()
    if (text === '' || isResumed) return
    for (const [place, part] of (await answerMessages(text)).entries()) {
      const known = this.#sent[place]
      if (known?.text.body === part.body) continue
      if (known) {
        this.#edits += 1
        await this.#edit(place, known.eventId, part, this.#edits)
      } else {
        if (place > 0) await this.#parts.grows(place + 1)
        await this.#send(place, part)
      }
    }
  }

  async #keepShowing(): Promise<void> {
    let failures = 0
    let waitMs = pace.firstMs
    for (;;) {
      if (!(await this.#pause(waitMs))) return
      try {
        await this.#show()
        failures = 0
        waitMs = this.#edits > manyEdits ? pace.slowMs : pace.editMs
      } catch (error) {
        failures += 1
        waitMs = Math.max(pace.editMs, backOffMs(error, failures))
        this.#parts.log.debug('a growing answer could not be shown in Matrix', { error })
      }
    }
  }

  async #keepTyping(): Promise<void> {
    const { client, place, signal } = this.#parts
    const send = (isTyping: boolean) => client.typing(place.roomId, isTyping, signal).catch(() => {})
    if (!(await this.#pause(0))) return
    do await send(true)
    while (await this.#pause(typingMs))
    await send(false)
  }

  /** Waits; returns false once the answer has ended. */
  #pause(waitMs: number): Promise<boolean> {
    const signal = AbortSignal.any([this.#ended.signal, this.#parts.signal])
    return pause(waitMs, signal).then(
      () => true,
      () => false,
    )
  }
}
