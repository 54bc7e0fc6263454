import type { CountedActor } from '@sibyl/protocol'
import type { LimitShare, ShareOf } from './limit-shares.ts'
import { type Full, type Place, Tally } from './places.ts'

/** Options of `WaitingLine`. */
export interface LineLimits {
  /** Maximum concurrent work; one per holder. */
  readonly running: number
  /** Maximum waiting work. */
  readonly waiting: number
  /** Maximum waiting work of one holder. */
  readonly waitingPerHolder: number
  /** Maximum wait, in milliseconds. @default until the signal aborts */
  readonly waitMs?: number
}

/** A fair queue for slots: the holder and the address that ran last wait behind the others. */
export interface WaitingLine {
  /**
   * Waits for a slot, or returns the reason why none is free: too many are waiting (`holder`, `origin`, `all`), or the
   * wait was too long (`late`).
   *
   * @throws The reason of the signal.
   */
  enter(actor: CountedActor, signal: AbortSignal): Promise<Place | { readonly full: Full | 'late' }>
}

interface Waiter {
  readonly share: LimitShare
  start(place: Place): void
}

/** Creates a queue in the memory of this process. */
export const makeLine = (limits: LineLimits, shareOf: ShareOf): WaitingLine => {
  const running = new Tally()
  const waiting = new Tally()
  /** The next one first. */
  const line: Waiter[] = []

  const startNext = (): void => {
    for (;;) {
      const index = line.findIndex(({ share }) => running.fullFor(share, 1) === undefined)
      const [next] = index < 0 ? [] : line.splice(index, 1)
      if (next === undefined) return
      const { holder, network } = next.share
      const isLikeIt = ({ share }: Waiter) =>
        share.holder === holder || (network !== undefined && share.network === network)
      const place = running.add(next.share)
      next.start({
        release() {
          place.release()
          line.sort((one, other) => Number(isLikeIt(one)) - Number(isLikeIt(other)))
          startNext()
        },
      })
    }
  }

  return {
    async enter(actor, signal) {
      signal.throwIfAborted()
      const full = waiting.fullFor(shareOf(actor, limits.waiting), limits.waitingPerHolder)
      const share = { ...shareOf(actor, limits.running), ofAll: limits.running }
      // One that need not wait takes no place in the queue.
      if (full !== undefined && running.fullFor(share, 1) !== undefined) return { full }
      const { promise, resolve, reject } = Promise.withResolvers<Place | { readonly full: 'late' }>()
      const waits = waiting.add(share)
      const settle = (how: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        waits.release()
        const index = line.indexOf(waiter)
        if (index >= 0) line.splice(index, 1)
        how()
      }
      const waiter: Waiter = { share, start: place => settle(() => resolve(place)) }
      const stop = () => settle(() => reject(signal.reason))
      const late = () => settle(() => resolve({ full: 'late' }))
      const timer = limits.waitMs === undefined ? undefined : setTimeout(late, limits.waitMs)
      signal.addEventListener('abort', stop, { once: true })
      line.push(waiter)
      startNext()
      return promise
    },
  }
}
