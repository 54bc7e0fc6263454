import type { Clock } from '../time/clock.ts'

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Required<Clock> {
  /** Moves the time forward and runs the timers that fall due on the way, each at its time. */
  advance(ms: number): Promise<void>
  /** Sets the time forward or back as somebody sets a computer's clock: its timers do not notice. */
  jump(ms: number): void
}

interface Timer {
  at: number
  readonly run: () => void
}

const nextTurn = (): Promise<void> => new Promise(resume => setImmediate(resume))

/**
 * Makes a clock for tests.
 *
 * @param start milliseconds since 1970
 */
export const fakeClock = (start = Date.UTC(2027, 0, 1)): FakeClock => {
  const timers = new Set<Timer>()
  let now = start

  const schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer = { at: now + Math.max(delayMs, 0), run }
    timers.add(timer)
    if (delayMs <= 0) setImmediate(() => fire(timer))
    return () => timers.delete(timer)
  }

  const fire = (timer: Timer): void => {
    if (timers.delete(timer)) timer.run()
  }

  const advance = async (ms: number): Promise<void> => {
    const until = now + ms
    for (;;) {
      await nextTurn()
      const due = [...timers].filter(timer => timer.at <= until).sort((left, right) => left.at - right.at)[0]
      if (due === undefined) break
      now = Math.max(now, due.at)
      fire(due)
    }
    now = until
  }

  const jump = (ms: number): void => {
    now += ms
    for (const timer of timers) timer.at += ms
  }

  return { now: () => now, schedule, advance, jump }
}
