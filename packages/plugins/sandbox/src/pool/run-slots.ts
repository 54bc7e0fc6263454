import { ToolFailure } from '@sibyl/core'

/** Who may run something now. */
export interface RunSlots {
  /**
   * Waits for a slot, and gives back what frees it.
   *
   * @throws ToolFailure when too many wait, or it takes too long; the reason of the signal.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
}

/** How many run and wait. */
export interface SlotLimits {
  /** Runs at the same time, of all. */
  readonly running: number
  /** Runs that wait, of all. */
  readonly waiting: number
  /** Runs that wait, of one owner; one of theirs runs at a time. */
  readonly waitingEach: number
  /** The longest wait, in milliseconds. */
  readonly waitMs: number
}

interface Waiter {
  readonly owner: string
  start(): void
}

/** Slots in the order in which they were asked for, one an owner: nobody takes all of them. */
export const createRunSlots = (limits: SlotLimits): RunSlots => {
  const running = new Set<string>()
  const waiting: Waiter[] = []

  const startNext = () => {
    while (running.size < limits.running) {
      const index = waiting.findIndex(({ owner }) => !running.has(owner))
      const [next] = index < 0 ? [] : waiting.splice(index, 1)
      if (next === undefined) return
      running.add(next.owner)
      next.start()
    }
  }
  const release = (owner: string) => () => {
    running.delete(owner)
    startNext()
  }

  return {
    take: (owner, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (waiting.filter(waiter => waiter.owner === owner).length >= limits.waitingEach) {
          return reject(new ToolFailure('Your last programs are still running. Wait until they have ended.'))
        }
        const isFull = waiting.length >= limits.waiting
        if (isFull) return reject(new ToolFailure('Too many programs wait to be run. Try again in a minute.'))
        const settle = (how: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          const index = waiting.indexOf(waiter)
          if (index >= 0) waiting.splice(index, 1)
          how()
        }
        const waiter: Waiter = { owner, start: () => settle(() => resolve(release(owner))) }
        const stop = () => settle(() => reject(signal.reason))
        const late = () => settle(() => reject(new ToolFailure('Other programs took too long. Try again in a minute.')))
        const timer = setTimeout(late, limits.waitMs)
        signal.addEventListener('abort', stop, { once: true })
        waiting.push(waiter)
        startNext()
      }),
  }
}
