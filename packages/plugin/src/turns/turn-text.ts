import { messageParts } from '@sibyl/protocol'
import type { TurnEvent } from './turn.ts'

/** The advice for the user of a turn that did not complete, and whose calls may have changed something. */
export const effectsText = 'Some of its effects may have happened; check before you repeat it.'

/**
 * Collects the text of a turn from its events. Where another process continues the turn, a part of the text no longer counts.
 *
 * @example for await (const event of turn.events) if (text.add(event)) show(text.text)
 */
export class TurnText {
  readonly #separator: string
  /** The length of the text after each event that changed it. */
  readonly #lengths: { readonly id: number; readonly length: number }[] = []
  #text = ''

  /** @param separator Between the texts of different steps. */
  constructor(separator = '') {
    this.#separator = separator
  }

  get text(): string {
    return this.#text
  }

  /** Takes the next event. @returns whether it changed the text */
  add({ id, event }: TurnEvent): boolean {
    const before = this.#text
    if (event.type === 'text-delta') this.#text += event.delta
    if (event.type === 'text-start' && before !== '') this.#text += this.#separator
    const resumed = event.type === 'data-resumed' ? messageParts.resumed.safeParse(event.data).data : undefined
    if (resumed) this.#text = before.slice(0, this.#lengths.findLast(one => one.id <= resumed.after)?.length ?? 0)
    if (this.#text === before) return false
    this.#lengths.push({ id, length: this.#text.length })
    return true
  }
}
