import type { Logger, TurnEnd, TurnRecord } from '@sibyl/plugin'
import type { TurnStore } from '../sessions/turn-store.ts'
import type { TurnHookRunner } from './turn-hooks.ts'

/** A turn that has ended, for the `after` hooks. */
export interface EndedTurn {
  readonly turn: TurnRecord
  readonly end: TurnEnd
  /** The plugins whose hooks succeeded before. */
  readonly done?: readonly string[]
  /** How often hooks of this turn failed before. */
  readonly tries?: number
}

/** Dependencies of `AfterHooks`. */
export interface AfterHooksParts {
  readonly hooks: TurnHookRunner
  readonly store: Pick<TurnStore, 'markHooksCalled' | 'postponeHooks'>
  readonly log: Logger
}

/** How long a failed hook waits for its second call, and at most for a later one, in milliseconds. */
const firstPauseMs = 1_000
const longestPauseMs = 3_600_000

/**
 * Calls the `after` hooks of ended turns. A turn owes them until each has succeeded: what failed is stored, and called again by
 * recovery.
 */
export class AfterHooks {
  readonly #parts: AfterHooksParts
  readonly #underWay = new Set<string>()
  /** Plugins whose hooks succeeded, of turns of which that could not be stored yet. */
  readonly #succeeded = new Map<string, Set<string>>()

  constructor(parts: AfterHooksParts) {
    this.#parts = parts
  }

  /** Whether the hooks of a turn are being called here. */
  isCalling(turnId: string): boolean {
    return this.#underWay.has(turnId)
  }

  /** Calls the hooks that a turn owes, and stores which of them succeeded. Never rejects. */
  async call({ turn, end, done = [], tries = 0 }: EndedTurn): Promise<void> {
    const { hooks, store, log } = this.#parts
    if (this.#underWay.has(turn.id)) return
    this.#underWay.add(turn.id)
    const succeeded = this.#succeeded.get(turn.id) ?? new Set(done)
    this.#succeeded.set(turn.id, succeeded)
    try {
      const isDone = await hooks.after(turn, end, succeeded)
      if (isDone) await store.markHooksCalled(turn.id)
      else {
        const afterMs = Math.min(firstPauseMs * 2 ** tries, longestPauseMs)
        await store.postponeHooks(turn.id, { done: [...succeeded], tries: tries + 1, afterMs })
      }
      this.#succeeded.delete(turn.id)
    } catch (error) {
      log.warn('which hooks of a turn succeeded could not be stored; it is tried again', { turn: turn.id, error })
    } finally {
      this.#underWay.delete(turn.id)
    }
  }
}
