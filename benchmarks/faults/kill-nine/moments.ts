import type { StreamedEvent } from '@sibyl/testing'

/** When a process is killed, in the life of a turn as its client sees it. */
export const moments = ['finished', 'in-tool', 'in-answer', 'begun', 'any'] as const

/** One of `moments`. */
export type Moment = (typeof moments)[number]

/** Signals of a turn at its client: the acknowledgment of the message, then the events. */
export type Heard = StreamedEvent | 'acknowledged'

const isMoment = (moment: Moment, heard: Heard): boolean => {
  if (moment === 'any') return true
  if (heard === 'acknowledged') return moment === 'begun'
  if (moment === 'in-answer') return heard.type === 'text-delta' && String(heard.delta).startsWith('word')
  if (moment === 'in-tool') return heard.type === 'data-noted'
  return moment === 'finished' && heard.type === 'finish'
}

/** Acts at a moment of a turn, synchronously with its signal. */
export class MomentWatch<Speaker> {
  #watching: ((heard: Heard, speaker: Speaker) => void) | undefined

  /** Called with every signal of a client. */
  hear(heard: Heard, speaker: Speaker): void {
    this.#watching?.(heard, speaker)
  }

  /**
   * Acts at the moment, after it was let pass so many times; `any` is whatever comes then.
   *
   * @param over resolves when there is nothing to hear any more
   * @returns whom it was heard of; undefined when it was over before
   */
  async actAt(
    moment: Moment,
    passes: number,
    act: (speaker: Speaker) => void,
    over: Promise<unknown>,
  ): Promise<Speaker | undefined> {
    const acted = Promise.withResolvers<Speaker>()
    let left = passes
    this.#watching = (heard, speaker) => {
      if (!isMoment(moment, heard) || left-- > 0) return
      this.#watching = undefined
      act(speaker)
      acted.resolve(speaker)
    }
    const speaker = await Promise.race([acted.promise, over.then(() => undefined)])
    this.#watching = undefined
    return speaker
  }
}
