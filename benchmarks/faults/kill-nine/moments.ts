import type { StreamedEvent } from '@sibyl/core/testing'

/** When a process is killed, in the life of a turn as its client sees it. */
export const moments = ['begun', 'in-answer', 'in-tool', 'finished', 'any'] as const

/** One of `moments`. */
export type Moment = (typeof moments)[number]

/** What a client hears of its turn: that its message is acknowledged, then the events. */
export type Heard = StreamedEvent | 'acknowledged'

const isMoment = (moment: Moment, heard: Heard): boolean => {
  if (heard === 'acknowledged') return moment === 'begun'
  if (moment === 'in-answer') return heard.type === 'text-delta' && String(heard.delta).startsWith('word')
  if (moment === 'in-tool') return heard.type === 'data-noted'
  return moment === 'finished' && heard.type === 'finish'
}

/** Acts at a moment in somebody's turn, in the very call that tells of it. */
export class MomentWatch {
  #watching: ((heard: Heard) => void) | undefined

  /** To be told of everything that clients hear. */
  hear(heard: Heard): void {
    this.#watching?.(heard)
  }

  /**
   * Acts at the moment, after it was let pass so many times; `any` is so many times 10 ms from now.
   *
   * @param over resolves when there is nothing to hear any more
   * @returns whether it acted
   */
  async actAt(moment: Moment, passes: number, act: () => void, over: Promise<unknown>): Promise<boolean> {
    const acted = Promise.withResolvers<true>()
    const now = () => {
      this.#watching = undefined
      act()
      acted.resolve(true)
    }
    let left = passes
    if (moment === 'any') setTimeout(now, passes * 10)
    else {
      this.#watching = heard => {
        if (isMoment(moment, heard) && left-- <= 0) now()
      }
    }
    const done = await Promise.race([acted.promise, over])
    this.#watching = undefined
    return done === true
  }
}
