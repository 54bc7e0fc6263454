import { type Logger, pause } from '@sibyl/plugin'
import type { MatrixClient } from '../client/matrix-client.ts'
import { backOffMs, type Rest, untilDone } from '../client/retry-send.ts'
import { answerMessages, editContent, type MessagePlace, type MessageText, textContent } from './message-content.ts'

/** When the first of an answer is shown, and how often it is changed then at most, in milliseconds. */
const pace = { firstMs: 1_000, editMs: 1_500, slowMs: 5_000 }
/** From how many edits on it is changed less often. */
const manyEdits = 20
/** How often it is said that the bot writes, in milliseconds. */
const typingMs = 20_000

/** How often sending is tried before the message is left for later; an answer that was left before is tried once. */
export const mostFailures = { first: 3, again: 1 }

/** What an answer is in the end. */
export interface AnswerText {
  /** In Markdown. */
  readonly text: string
  /** What follows it in words that are shown as they are: a question, or why it ends. */
  readonly plain?: string
}

/** What an answer is written with. */
export interface AnswerWriterParts {
  readonly client: Pick<MatrixClient, 'send' | 'redact' | 'typing'>
  readonly log: Logger
  readonly place: MessagePlace
  /** What the ids of its messages begin with: the same for the same answer, also after a restart. */
  readonly key: string
  /** Whether a part of it may have been sent before. */
  readonly isResumed: boolean
  /** How many messages of it may have been sent before, where there was more than one. */
  readonly partsBefore: number
  /** Notes that it grows to so many messages; resolves once that is on disk. */
  readonly grows: (parts: number) => Promise<void>
  readonly rest: Rest
  readonly signal: AbortSignal
}

/**
 * Writes one answer into a room while it grows: "writes …" at first, then a message that is edited now and then, and its
 * whole text in the end, in as many messages as it needs. The homeserver drops what was sent before, by transaction ids.
 */
export class AnswerWriter {
  readonly #parts: AnswerWriterParts
  readonly #sent: { eventId: string; text: MessageText }[] = []
  /** What was first tried for messages of which it is not known whether they came through. */
  readonly #tried = new Map<number, string>()
  readonly #ended = new AbortController()
  readonly #growing: Promise<unknown>
  #text = ''
  #edits = 0

  constructor(parts: AnswerWriterParts) {
    this.#parts = parts
    this.#growing = Promise.all([this.#keepTyping(), this.#keepShowing()])
  }

  /** Says what the answer is by now. */
  grow(text: string): void {
    this.#text = text
  }

  /**
   * Sends what the answer is in the end, and waits until the homeserver has it.
   *
   * @throws `matrix_refused` where it may not be sent, StillFailing, or the signal's reason
   */
  async finish({ text, plain }: AnswerText): Promise<void> {
    await this.#stop()
    const { signal, isResumed, rest } = this.#parts
    const tries = { signal, rest, mostFailures: isResumed ? mostFailures.again : mostFailures.first }
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

  /** Ends without a word more. */
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

  /** Takes away a message of a longer answer, which was cut off. */
  async #takeBack(place: number): Promise<void> {
    const { client, key, place: where, signal } = this.#parts
    // Its event is learnt by its transaction id: what was sent before is not sent again.
    const { eventId } = this.#sent[place] ?? (await this.#send(place, { body: '…' }))
    await client.redact(where.roomId, eventId, `${key}-${place}-gone`, signal)
  }

  async #edit(place: number, eventId: string, text: MessageText, version: string | number): Promise<void> {
    const { client, key, place: where, signal } = this.#parts
    await client.send(where.roomId, `${key}-${place}-${version}`, editContent(text, eventId), signal)
    this.#sent[place] = { eventId, text }
  }

  /** Shows what there is by now. */
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
        this.#parts.log.debug('an answer could not be shown in Matrix while it grows', { error })
      }
    }
  }

  async #keepTyping(): Promise<void> {
    const { client, place, signal } = this.#parts
    const say = (isTyping: boolean) => client.typing(place.roomId, isTyping, signal).catch(() => {})
    if (!(await this.#pause(0))) return
    do await say(true)
    while (await this.#pause(typingMs))
    await say(false)
  }

  /** Waits; false once the answer has ended. */
  #pause(waitMs: number): Promise<boolean> {
    const signal = AbortSignal.any([this.#ended.signal, this.#parts.signal])
    return pause(waitMs, signal).then(
      () => true,
      () => false,
    )
  }
}
