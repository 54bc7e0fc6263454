import { setTimeout as sleep } from 'node:timers/promises'

/** Lets requests to a site begin one after the other, with a pause between them. */
export interface SitePace {
  /** Resolves when the next request may begin; rejects with the reason of the signal. */
  turn(signal: AbortSignal): Promise<void>
  /** Makes the pause longer, as a site asks for it. */
  slow(seconds: number | undefined): void
}

/** A site that asks for longer pauses gets these, in milliseconds. */
const longestPauseMs = 10_000

/** @param pauseMs from one beginning to the next */
export const createSitePace = (pauseMs: number): SitePace => {
  let pause = pauseMs
  let next = 0
  return {
    async turn(signal) {
      for (let now = performance.now(); now < next; now = performance.now()) {
        await sleep(next - now, undefined, { signal, ref: false })
      }
      next = performance.now() + pause
    },
    slow(seconds) {
      if (seconds === undefined) return
      const longer = Math.max(pause, Math.min(seconds * 1_000, longestPauseMs))
      next += longer - pause
      pause = longer
    },
  }
}
